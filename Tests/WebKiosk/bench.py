# SPDX-License-Identifier: Apache-2.0
"""What the tests of the web kiosk run: a daemon, a bridge, a client of the socket."""
import contextlib
import ctypes
import http.client
import json
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time

TREE = pathlib.Path(__file__).resolve().parents[2]
KIOSK = TREE / "examples/web-kiosk"
BINARIES = os.environ.get("DETENT_TEST_BINARIES", TREE / ".build/debug")


def until(what, condition, seconds=60):
    """Waits for a condition to give something true, and gives that."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds} s for {what}")
        time.sleep(0.01)


@contextlib.contextmanager
def folder():
    with tempfile.TemporaryDirectory(prefix="detent-web.") as path:
        yield path


def idle_seconds():
    """How long the machine's cores have been idle so far, and how long they have been there, in seconds."""
    with open("/proc/stat", encoding="ascii") as file:
        times = [int(field) / os.sysconf("SC_CLK_TCK") for field in file.readline().split()[1:9]]
    return times[3] + times[4], sum(times)


def die_with_parent():
    """Run in a child: it ends when the test is killed, too."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


@contextlib.contextmanager
def program(*arguments, **options):
    """Runs a program until the end of the `with`."""
    words = [str(argument) for argument in arguments]
    with subprocess.Popen(words, preexec_fn=die_with_parent, **options) as process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


@contextlib.contextmanager
def daemon(path, configuration, recording, *arguments):
    """A daemon that plays a recording."""
    with program(f"{BINARIES}/detentd", "--config", configuration, "--socket", path, "--play", recording, *arguments,
                 stderr=subprocess.DEVNULL) as process:
        until("the daemon", lambda: answers(path) or process.poll() is not None)
        yield process


def answers(path):
    """Whether a daemon listens there; one that was killed leaves its socket behind."""
    try:
        Client(path).close()
    except OSError:
        return False
    return True


@contextlib.contextmanager
def bridge(path, *arguments):
    """A bridge on a port that is free; gives the port."""
    with program("python3", KIOSK / "bridge.py", "--port", "0", "--socket", path, *arguments,
                 stdout=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()
        if not line.startswith("serving http://127.0.0.1:"):
            raise AssertionError(f"the bridge said {line!r}")
        yield int(line.rstrip("/\n").rsplit(":", 1)[1])


class Client:
    """A client of the daemon's socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        try:
            self.socket.connect(path)
        except OSError:
            self.socket.close()
            raise
        self.file = self.socket.makefile("rw", encoding="utf-8", newline="\n")
        self.hello = json.loads(self.file.readline())

    def call(self, method, **params):
        self.file.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + "\n")
        self.file.flush()
        while True:
            message = json.loads(self.file.readline())
            if "id" in message:
                return message["result"]

    def close(self):
        self.file.close()
        self.socket.close()


class Events:
    """A stream of a bridge's, read in the test's own time."""

    def __init__(self, port, **headers):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.connection.request("GET", "/events", headers=headers)
        self.response = self.connection.getresponse()
        self.status = self.response.status
        self.token = self.next("stream") if self.status == 200 else None

    def next(self, kind="message"):
        """The data of the next event of a kind."""
        name, data = "message", ""
        while True:
            line = self.response.readline().decode()
            if not line:
                raise AssertionError("the stream has ended")
            field, _, value = line.rstrip("\n").partition(": ")
            if field == "event":
                name = value
            elif field == "data":
                data = value
            elif field == "":
                # Nothing but a comment keeps the stream alive.
                if name == kind and (data or name != "message"):
                    return data
                name, data = "message", ""

    def message(self, fits):
        while True:
            message = json.loads(self.next())
            if fits(message):
                return message

    def close(self):
        self.response.close()
        self.connection.close()
