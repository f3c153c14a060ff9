# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven over a pipe with the DevTools protocol."""
import base64
import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

import bench

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def installed():
    """The browser's program, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """A browser with a profile of its own; gone, with all that it wrote, at the end of a `with`."""

    def __init__(self, *arguments):
        self.profile = tempfile.mkdtemp(prefix="detent-browser.")
        to_read, self.write = os.pipe()
        self.read, to_write = os.pipe()
        options = ["--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "--no-first-run",
                   "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-proxy-server",
                   "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows",
                   "--disable-background-timer-throttling", "--hide-scrollbars", "--mute-audio",
                   "--disable-dev-shm-usage", *arguments]
        if os.geteuid() == 0:
            options.append("--no-sandbox")

        def pipes():
            bench.die_with_parent()
            # What is at 3 and 4 already may be the pipes themselves.
            ends = os.dup2(to_read, 200), os.dup2(to_write, 201)
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self.process = subprocess.Popen([installed(), *options, "about:blank"], pass_fds=(3, 4), preexec_fn=pipes,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(to_read)
        os.close(to_write)
        self.rest, self.last_id, self.events = b"", 0, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.write)
        os.close(self.read)
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, session=None, seconds=60, **params):
        """Calls a method and gives its result."""
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + seconds
        while True:
            answer = self.message(deadline, method)
            if answer.get("id") != self.last_id:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def message(self, deadline, what):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.read], [], [], max(0, deadline - time.monotonic()))
            data = os.read(self.read, 1 << 20) if ready else b""
            if not data:
                raise RuntimeError(f"the browser did not answer {what}")
            self.rest += data
        line, _, self.rest = self.rest.partition(b"\0")
        return json.loads(line)

    @contextlib.contextmanager
    def stopped(self):
        """The whole browser stands still until the end of the `with`."""
        os.killpg(self.process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.killpg(self.process.pid, signal.SIGCONT)

    def tab(self, url, width=1080, height=1920):
        return Tab(self, url, width, height)


class Tab:
    """A page in a window of its own."""

    def __init__(self, browser, url, width, height):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank", newWindow=True, width=width, height=height)
        attached = browser.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self.target, self.session = target["targetId"], attached["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")
        self.call("Log.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Page.navigate", url=url)

    def call(self, method, **params):
        return self.browser.call(method, session=self.session, **params)

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)

    def value(self, expression):
        """What an expression gives on the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", expression))
        return result["result"].get("value")

    def wait(self, expression, seconds=60):
        """Waits until an expression gives something true, and gives that."""
        deadline = time.monotonic() + seconds
        while True:
            value = self.value(f"(() => {{ try {{ return {expression} }} catch {{ return null }} }})()")
            if value:
                return value
            if time.monotonic() > deadline:
                raise RuntimeError(f"in {seconds} s the page did not come to {expression}")
            time.sleep(0.05)

    def click(self, expression):
        """Presses the mouse in the middle of an element."""
        box = self.value(f"(({expression}).getBoundingClientRect()).toJSON()")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1,
                      x=box["x"] + box["width"] / 2, y=box["y"] + box["height"] / 2)

    def key(self, key, code=0):
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def metrics(self):
        """The browser's counts and times of the page, by name."""
        return {metric["name"]: metric["value"] for metric in self.call("Performance.getMetrics")["metrics"]}

    def complaints(self):
        """What the page's console said of errors so far."""
        self.value("1")
        return [event["params"] for event in self.browser.events if event.get("sessionId") == self.session
                and (event["method"] == "Runtime.exceptionThrown" or event["method"] == "Log.entryAdded"
                     and event["params"]["entry"]["level"] == "error")]

    def picture(self, path, scale=1):
        """Writes what it shows as a PNG."""
        view = self.value("({ x: 0, y: 0, width: innerWidth, height: innerHeight })")
        data = self.call("Page.captureScreenshot", format="png", clip={**view, "scale": scale})["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
