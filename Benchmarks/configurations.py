# SPDX-License-Identifier: Apache-2.0
"""Configurations and recordings that are measured."""
import json

DISPLAY = '[[display]]\nid = "main"\nwidth = 1080\nheight = 1920\n'


def ruler(name, x, y, width, height, last=1000):
    return (f'\n[[picker]]\nid = "{name}"\ntype = "ruler"\n'
            f"region = {{ x = {x}, y = {y}, width = {width}, height = {height} }}\n"
            f'values = {{ from = 0, through = {last}, step = 1 }}\ntitle = "{{}} kg"\nselection = 5\n')


def ten():
    """Ten pickers of all types; the uppermost is a ruler as wide as the display."""
    text = DISPLAY + "".join(ruler(f"ruler{n}", 0, 190 * n + 80, 1080, 180) for n in range(7))
    return text + """
[[picker]]
id = "menu"
type = "carousel"
region = { x = 0, y = 1400, width = 1080, height = 200 }
items = ["a", "b", "c", "d", "e"]

[[picker]]
id = "colour"
type = "swatches"
region = { x = 0, y = 1610, width = 540, height = 200 }
colors = ["#ff0000", "#00ff00", "#0000ff", "#ffff00", "#00ffff", "#ff00ff", "#000000", "#ffffff"]

[[picker]]
id = "wheel"
type = "radial"
mode = "rotate"
region = { x = 540, y = 1610, width = 300, height = 300 }
values = { from = 1, through = 12, step = 1 }
"""


def grid(side):
    """side × side rulers that cover the display."""
    width, height = 1080 / side, 1920 / side
    return DISPLAY + "".join(
        ruler(f"p{row}-{column}", column * width, row * height, width, height)
        for row in range(side) for column in range(side))


def one(values):
    return DISPLAY + ruler("only", 0, 0, 1080, 1920, last=values - 1)


def drags(events, period_us):
    """A recording of drags to and fro over the uppermost ruler of `ten`."""
    lines = [{"recording": 1, "devices": [
        {"id": "panel", "kind": "touchscreen", "name": "panel", "width_mm": 344, "height_mm": 194}]}]
    time_us = 0
    for index in range(events):
        step = index % 1000
        place = dict(x=round(0.1 + 0.8 * min(step, 998 - step) / 499, 4), y=0.08)
        event = "down" if step == 0 else "up" if step == 999 else "move"
        lines.append({"time_us": time_us, "device": "panel", "event": event, "slot": 0, **({} if event == "up" else place)})
        time_us += period_us
    return "".join(json.dumps(line) + "\n" for line in lines)
