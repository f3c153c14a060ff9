# SPDX-License-Identifier: Apache-2.0
"""usage: debug_events_reader.py NODE: reads the lines of `libinput debug-events` and prints where a finger moved."""
import subprocess
import sys

reader = subprocess.Popen(
    ["libinput", "debug-events", "--device", sys.argv[1]], stdout=subprocess.PIPE, text=True)
for line in reader.stdout:
    if "TOUCH_MOTION" in line:
        print(line.split("\t")[-1].strip(), flush=True)
