#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what is chosen, and comes back when the daemon does: selections.py [SOCKET]"""
import json, random, socket, sys, time

PATH = sys.argv[1] if len(sys.argv) > 1 else "/run/detent/detent.sock"


def talk(path):
    """Yields what the daemon says; ends with the connection. Only lines with their newline count."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        connection.sendall(b'{"jsonrpc":"2.0","id":1,"method":"subscribe"}\n')
        for line in connection.makefile("rb"):
            if line.endswith(b"\n"):
                yield json.loads(line)


pause = 0.1
while True:
    try:
        for message in talk(PATH):
            pause = 0.1
            params = message.get("params")
            if message.get("id") == 1 and "result" in message:
                # How things stand: also after each reconnect.
                for picker in message["result"]["pickers"]:
                    print(picker["picker"], picker["title"], flush=True)
            elif message.get("method") == "resync":
                for picker in params["pickers"]:
                    print(picker["picker"], picker["title"], flush=True)
            elif message.get("method") == "selection" and "title" in params:
                print(params["picker"], params["title"], flush=True)
    except OSError as error:
        print(error, file=sys.stderr)
    # Gone, or not there yet. What was under a finger now counts as cancelled.
    time.sleep(pause * random.uniform(0.5, 1))
    pause = min(pause * 2, 5)
