# SPDX-License-Identifier: Apache-2.0
"""usage: evdev_reader.py NODE: what one would write in Python today. Prints the place of the finger for each frame."""
import sys

import evdev
from evdev import ecodes

x = y = 0
for event in evdev.InputDevice(sys.argv[1]).read_loop():
    if event.type == ecodes.EV_ABS and event.code == ecodes.ABS_MT_POSITION_X:
        x = event.value
    elif event.type == ecodes.EV_ABS and event.code == ecodes.ABS_MT_POSITION_Y:
        y = event.value
    elif event.type == ecodes.EV_SYN:
        print(x, y, flush=True)
