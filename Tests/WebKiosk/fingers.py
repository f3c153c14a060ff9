# SPDX-License-Identifier: Apache-2.0
"""Recordings of fingers on the pickers of a configuration."""
import json
import math
import tomllib


class Fingers:
    """Builds a recording of one panel; times go on from stroke to stroke."""

    def __init__(self, configuration):
        with open(configuration, "rb") as file:
            data = tomllib.load(file)
        self.width, self.height = data["display"][0]["width"], data["display"][0]["height"]
        self.regions = {picker["id"]: picker["region"] for picker in data["picker"]}
        self.pickers = {picker["id"]: picker for picker in data["picker"]}
        self.time_us = 1_000_000
        device = {"id": "panel", "kind": "touchscreen", "name": "panel", "width_mm": 135, "height_mm": 240}
        self.lines = [{"recording": 1, "devices": [device]}]
        # Nobody's touch, so that the first pause is played, too.
        self.event("down", 1, 1)
        self.event("up")

    def event(self, name, x=None, y=None):
        where = {} if x is None else {"x": round(x / self.width, 6), "y": round(y / self.height, 6)}
        self.lines.append({"time_us": self.time_us, "device": "panel", "event": name, "slot": 0, **where})

    def pause(self, seconds):
        self.time_us += int(seconds * 1e6)

    def path(self, seconds, at):
        """A finger along at(0…1), smooth at both ends unless it is to be thrown, 60 times a second."""
        steps = max(2, int(seconds * 60))
        self.event("down", *at(0))
        for step in range(1, steps + 1):
            self.pause(seconds / steps)
            self.event("move", *at(step / steps))

    def lift(self, after=0.004):
        self.pause(after)
        self.event("up")

    def centre(self, picker):
        region = self.regions[picker]
        return region["x"] + region["width"] / 2, region["y"] + region["height"] / 2

    def drag(self, picker, dx, seconds, lifts=True, throws=True):
        """Along the picker from its centre: thrown at the end, or held still first."""
        x, y = self.centre(picker)
        self.path(seconds, lambda t: (x + dx * t * t * (3 - 2 * t) if not throws else x + dx * t * t, y))
        if lifts:
            self.lift(0.004 if throws else 0.2)

    def tap(self, picker, index):
        """On a swatch."""
        region, palette = self.regions[picker], self.pickers[picker]
        columns, size, spacing = palette["columns"], palette["size"], palette["spacing"]
        column = (region["width"] - (columns - 1) * spacing) / columns
        x = region["x"] + (index % columns) * (column + spacing) + column / 2
        y = region["y"] + (index // columns) * (size + spacing) + size / 2
        self.event("down", x, y)
        self.lift(0.25)

    def turn(self, picker, degrees, seconds):
        """Round a wheel, from its right side."""
        x, y = self.centre(picker)
        radius = min(self.regions[picker]["width"], self.regions[picker]["height"]) * 0.4
        angle = math.radians(degrees)
        self.path(seconds, lambda t: (x + radius * math.cos(angle * t), y + radius * math.sin(angle * t)))
        self.lift(0.2)

    def write(self, path):
        with open(path, "w", encoding="utf-8") as file:
            for line in self.lines:
                file.write(json.dumps(line) + "\n")
