# SPDX-License-Identifier: Apache-2.0
"""The daemon as it is installed, from outside: memory, start, rest."""
import json
import os
import socket
import statistics
import subprocess
import tempfile
import threading
import time


class Daemon:
    """A daemon without devices, which tells that it is ready as it tells the service manager."""

    def __init__(self, program, configuration, *arguments):
        # The daemon watches the folders above its configuration, too: one where nothing else happens.
        quiet = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.folder = tempfile.TemporaryDirectory(prefix="detent-bench.", dir=quiet)
        self.path = self.folder.name + "/socket"
        with open(self.folder.name + "/detent.toml", "w", encoding="utf-8") as file:
            file.write(configuration)
        notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        notify.bind(self.folder.name + "/notify")
        notify.settimeout(60)
        environment = os.environ | {"NOTIFY_SOCKET": self.folder.name + "/notify", "STATE_DIRECTORY": self.folder.name}
        began = time.monotonic()
        self.process = subprocess.Popen(
            [program, "--config", self.folder.name + "/detent.toml", "--socket", self.path, *arguments],
            env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while b"READY=1" not in notify.recv(4096):
            pass
        self.start_ms = (time.monotonic() - began) * 1000

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()

    def read(self, name):
        with open(f"/proc/{self.process.pid}/{name}", encoding="utf-8") as file:
            return file.read()

    def memory_kb(self):
        """Private_Dirty and RSS."""
        fields = dict(line.split(":") for line in self.read("smaps_rollup").splitlines()[1:])
        return tuple(int(fields[name].split()[0]) for name in ("Private_Dirty", "Rss"))

    def wakeups(self):
        """How often each of its threads has been given a processor."""
        sum_ = 0
        for thread in os.listdir(f"/proc/{self.process.pid}/task"):
            for line in self.read(f"task/{thread}/status").splitlines():
                if line.startswith(("voluntary_ctxt_switches", "nonvoluntary_ctxt_switches")):
                    sum_ += int(line.split()[1])
        return sum_

    def client(self, params):
        """Subscribes, and throws away what comes."""
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(self.path)
        request = {"jsonrpc": "2.0", "id": 1, "method": "subscribe", "params": params}
        connection.sendall(json.dumps(request).encode() + b"\n")

        def drain():
            while connection.recv(1 << 16):
                pass

        threading.Thread(target=drain, daemon=True).start()

    def events(self):
        """How many events it has had."""
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(self.path)
        connection.sendall(b'{"jsonrpc":"2.0","id":1,"method":"stats"}\n')
        with connection, connection.makefile("rb") as lines:
            for line in lines:
                message = json.loads(line)
                if message.get("id") == 1:
                    return message["result"]["events"]


def memory(program, configuration, recording, marks):
    """Private_Dirty and RSS in kilobytes once so many events have come, for each mark."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write(recording)
        file.flush()
        with Daemon(program, configuration, "--play", file.name, "--loop") as daemon:
            daemon.client({})
            daemon.client({"motion_hz": 1000})
            found = []
            for mark in marks:
                while daemon.events() < mark:
                    time.sleep(0.2)
                found.append(daemon.memory_kb())
            return found


def idle_memory(program, configuration):
    with Daemon(program, configuration) as daemon:
        return daemon.memory_kb()


def start_ms(program, configuration, times):
    """The medians of the time from exec to readiness, and of the processor time that it took."""
    elapsed, processor = [], []
    for _ in range(times):
        with Daemon(program, configuration) as daemon:
            elapsed.append(daemon.start_ms)
            processor.append(int(daemon.read("schedstat").split()[0]) / 1e6)
    return statistics.median(elapsed), statistics.median(processor)


def rest(program, configuration, seconds):
    """How often it woke up in so long without input, with one subscriber."""
    with Daemon(program, configuration) as daemon:
        daemon.client({})
        time.sleep(3)
        before = daemon.wakeups()
        time.sleep(seconds)
        return daemon.wakeups() - before
