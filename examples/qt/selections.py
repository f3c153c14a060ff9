#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what is chosen, on Qt's event loop: selections.py [SOCKET] (PySide6, or Debian's python3-pyqt5)"""
import json, signal, sys
try:
    from PySide6.QtCore import QCoreApplication
    from PySide6.QtNetwork import QLocalSocket
except ImportError:
    from PyQt5.QtCore import QCoreApplication
    from PyQt5.QtNetwork import QLocalSocket

PATH = sys.argv[1] if len(sys.argv) > 1 else "/run/detent/detent.sock"
signal.signal(signal.SIGINT, signal.SIG_DFL)
app = QCoreApplication(sys.argv)
client = QLocalSocket()


def take():
    while client.canReadLine():
        message = json.loads(bytes(client.readLine()))
        if message.get("method") == "selection":
            print(message["params"]["picker"], message["params"]["title"], flush=True)
        elif "result" in message:
            for picker in message["result"]["pickers"]:
                print(picker["picker"], picker["title"], flush=True)


client.connected.connect(
    lambda: client.write(b'{"jsonrpc":"2.0","id":1,"method":"subscribe"}\n'))
client.readyRead.connect(take)
# The daemon is gone: an application connects again.
client.disconnected.connect(app.quit)
client.connectToServer(PATH)
if not client.waitForConnected(5000):
    sys.exit(client.errorString())
app.exec_() if hasattr(app, "exec_") else app.exec()
