#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what is chosen, on GTK's main loop: selections.py [SOCKET] (Debian: python3-gi)"""
import json, sys
from gi.repository import Gio, GLib

PATH = sys.argv[1] if len(sys.argv) > 1 else "/run/detent/detent.sock"
loop = GLib.MainLoop()


def take(stream, result):
    line, _ = stream.read_line_finish(result)
    if line is None:  # The daemon is gone: an application connects again.
        loop.quit()
        return
    message = json.loads(line)
    if message.get("method") == "selection":
        print(message["params"]["picker"], message["params"]["title"], flush=True)
    elif "result" in message:
        for picker in message["result"]["pickers"]:
            print(picker["picker"], picker["title"], flush=True)
    stream.read_line_async(GLib.PRIORITY_DEFAULT, None, take)


connection = Gio.SocketClient().connect(Gio.UnixSocketAddress.new(PATH))
connection.get_output_stream().write_all(b'{"jsonrpc":"2.0","id":1,"method":"subscribe"}\n')
# Lines of any length, and none before its newline.
stream = Gio.DataInputStream.new(connection.get_input_stream())
stream.read_line_async(GLib.PRIORITY_DEFAULT, None, take)
loop.run()
