# SPDX-License-Identifier: Apache-2.0
"""The page in a headless browser, against a daemon that plays fingers: what it shows is what the socket says."""
import sys
import unittest

import bench
import browser
import fingers

SIZES = {"portrait": (1080, 1920), "landscape": (1920, 1080)}

# Run in the page: what it must have heard and shown at some time.
WITNESS = """
globalThis.witness = { pressed: [], ticks: 0, glideError: 0, glideFrames: 0, drags: [], spoken: [] };
for (const picker of kiosk.pickers.values()) {
  const hear = picker.hear.bind(picker);
  picker.hear = (method, params) => {
    hear(method, params);
    if (method === "press" && params.pressed) {
      witness.pressed.push([...picker.region.children].findIndex((swatch) => swatch.classList.contains("pressed")));
    }
    if (method === "tick") witness.ticks += 1;
    const now = performance.timeOrigin + performance.now();
    if (method === "motion" && params.phase === "drag" && !picker.dragBegan) picker.dragBegan = now;
    if (method === "settle" && picker.dragBegan) {
      witness.drags.push([picker.dragBegan, now]);
      picker.dragBegan = 0;
    }
    // Detent's own frames of a glide, against the spring that the page computes.
    if (method === "motion" && params.phase === "glide") {
      witness.glideFrames += 1;
      witness.glideError = Math.max(witness.glideError, Math.abs(picker.motion.at(params.time_us) - params.offset));
    }
  };
}
new MutationObserver(() => witness.spoken.push(spoken.textContent)).observe(spoken, { childList: true });
"""

# Run in an empty page: when its frames were.
FRAMES = """
globalThis.frames = [];
const count = (time) => { frames.push(performance.timeOrigin + time); requestAnimationFrame(count); };
requestAnimationFrame(count);
"""

SHOWN = """
Object.fromEntries([...kiosk.pickers.values()].map((picker) => [picker.id, {
  value: picker.region.dataset.value,
  title: picker.valueText.textContent,
  offset: picker.motion.at(Infinity),
  hue: picker.region.dataset.hue ? Number(picker.region.dataset.hue) : null,
  spoken: picker.region.getAttribute("aria-valuetext")
    ?? picker.region.querySelector("[aria-selected=true]")?.textContent
    ?? picker.region.querySelector("[aria-checked=true]")?.getAttribute("aria-label"),
}]))
"""

UPRIGHT = """
[[display]]
id = "main"
width = 1080
height = 1920
[[picker]]
id = "level"
type = "ruler"
axis = "vertical"
region = { x = 100, y = 200, width = 300, height = 600 }
values = { from = 0, through = 20, step = 1 }
item_width = 70
[[picker]]
id = "menu"
type = "carousel"
axis = "vertical"
region = { x = 600, y = 200, width = 300, height = 600 }
items = ["a", "b", "c"]
padding = 80
spacing = 25
[[picker]]
id = "wheel"
type = "radial"
region = { x = 100, y = 1000, width = 400, height = 400 }
values = { from = 1, through = 8, step = 1 }
[[picker]]
id = "palette"
type = "swatches"
region = { x = 100, y = 1700, width = 650, height = 210 }
colors = ["#111111", "#222222", "#333333", "#444444", "#555555", "#666666", "#777777"]
columns = 5
size = 100
spacing = 10
"""

READY = "kiosk.pickers.size === 4 && [...kiosk.pickers.values()].every((picker) => picker.titleOf(0))"


def number(value):
    return f"{value:g}" if isinstance(value, (int, float)) else value


@unittest.skipUnless(browser.installed(), "needs Chromium: apt-get install chromium")
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = cls.enterClassContext(browser.Browser())

    def setUp(self):
        self.folder = self.enterContext(bench.folder())
        self.path = f"{self.folder}/detent.sock"

    def daemon(self, recording=None, turned="portrait"):
        """A daemon until the test's end; its client."""
        path = f"{self.folder}/recording.jsonl"
        (recording or fingers.Fingers(bench.KIOSK / f"{turned}.toml")).write(path)
        process = self.enterContext(bench.daemon(self.path, bench.KIOSK / f"{turned}.toml", path))
        client = bench.Client(self.path)
        self.addCleanup(client.close)
        return process, client

    def page(self, turned="portrait"):
        port = self.enterContext(bench.bridge(self.path))
        tab = self.browser.tab(f"http://127.0.0.1:{port}/", *SIZES[turned])
        self.addCleanup(tab.close)
        return tab

    def assert_comes(self, tab, expression, want):
        """The page comes to give something; what Detent says reaches it, and is drawn, after another client has it."""
        try:
            bench.until(expression, lambda: tab.value(expression) == want, 30)
        except AssertionError:
            self.assertEqual(tab.value(expression), want, expression)

    def assert_shows(self, tab, client):
        """The page shows what the socket says, once everything rests."""
        def rests():
            states = client.call("list")
            return all(state["phase"] == "idle" for state in states) and states
        states = bench.until("rest", rests)
        for state in states:
            want = {"value": number(state["value"]), "title": state["title"], "spoken": state["title"],
                    "offset": state.get("offset", state.get("degree", 0)), "hue": state.get("hue")}
            name = f"({SHOWN})[{state['picker']!r}]"
            try:
                tab.wait(f"{name}.title === {want['title']!r} && !document.getElementById('stage').matches('.off')")
                bench.until("the same", lambda: same(tab.value(name), want), 30)
            except (AssertionError, RuntimeError):
                self.assertEqual(tab.value(name), want)
        # Requests that cross the end of a stream are refused; nothing else may go wrong.
        self.assertEqual([entry for entry in tab.complaints() if "/request/" not in str(entry)], [])

    def test_fingers(self):
        """All four pickers worked by fingers: values, glides, ticks, the pressed swatch, frames."""
        first, client = self.daemon()
        tab = self.page()
        tab.wait(READY)
        empty = self.browser.tab("about:blank", *SIZES["portrait"])
        self.addCleanup(empty.close)
        empty.value(FRAMES)
        tab.value(WITNESS)
        first.kill()
        first.wait()
        tab.wait("document.getElementById('stage').matches('.off')")
        hand = fingers.Fingers(bench.KIOSK / "portrait.toml")
        hand.pause(1.5)
        hand.drag("amount", -420, 1.2)
        hand.pause(1)
        hand.tap("cup", 7)
        hand.pause(0.3)
        hand.drag("drink", -500, 0.8)
        hand.pause(1)
        hand.turn("light", 100, 1.2)
        hand.pause(0.3)
        hand.drag("amount", 300, 1, throws=False)
        hand.tap("cup", 9)
        tab.call("Performance.enable")
        before, idle_before = tab.metrics(), bench.idle_seconds()
        _, client = self.daemon(hand)
        opening = {state["picker"]: state["value"] for state in client.call("list")}
        bench.until("the last tap", lambda: client.call("get", picker="cup")["title"] == "Brown")
        idle, seconds = (now - then for now, then in zip(bench.idle_seconds(), idle_before))
        after = tab.metrics()
        self.assert_shows(tab, client)
        for state in client.call("list"):
            self.assertNotEqual(state["value"], opening[state["picker"]])
        witness = tab.value("witness")
        self.assertEqual(witness["pressed"], [7, 9])
        self.assertGreater(witness["ticks"], 5)
        self.assertGreater(witness["glideFrames"], 3)
        self.assertLess(witness["glideError"], 0.001)
        tab.wait(f"witness.spoken.join(' ').includes({client.call('get', picker='light')['title']!r})")

        # Motion is drawn by transforms: a layout is for a text that is another, never for a frame.
        changes = witness["ticks"] + sum(state["revision"] for state in client.call("list"))
        layouts = after["LayoutCount"] - before["LayoutCount"]
        self.assertLess(layouts, changes + 40)
        # The machine may be slow: an empty page of the same browser says what it can do just now.
        drawn, possible = tab.value("kiosk.dragFrames"), empty.value("frames")
        drags = [[sum(1 for time in times if begin <= time <= end) for times in (drawn, possible)]
                 for begin, end in witness["drags"]]
        seconds = sum(end - begin for begin, end in witness["drags"]) / 1000
        own, others = (sum(column) / seconds for column in zip(*drags))
        print(f"{own:.1f} frames a second while dragging; an empty page {others:.1f}; {layouts:.0f} layouts for "
              f"{changes} changes", file=sys.stderr)
        self.assertEqual(len(drags), 4)
        # Where others have all of the machine, that tells nothing of the page, which has more to do than nothing.
        if idle / seconds > 0.3:
            self.assertGreater(max(own / max(1, others) for own, others in drags), 0.5)
        else:
            print("the machine is too busy to say more", file=sys.stderr)

    def test_buttons_and_keys(self):
        """Everything is worked without dragging: the page's buttons, keys, and clicks of assistive technology."""
        _, client = self.daemon(turned="landscape")
        tab = self.page("landscape")
        tab.wait(READY)
        start = {state["picker"]: state["index"] for state in client.call("list")}

        def goes(picker, step):
            want = (start[picker] + step) % client.call("get", picker=picker)["count"]
            bench.until(f"{picker} at {want}", lambda: client.call("get", picker=picker)["index"] == want)

        for picker in start:
            for button, step in ((1, 1), (0, 0)):
                tab.click(f"kiosk.pickers.get('{picker}').heading.querySelectorAll('button')[{button}]")
                goes(picker, step)
        for picker in ("drink", "amount", "light"):
            tab.value(f"kiosk.pickers.get('{picker}').region.focus()")
            for key, code, step in (("ArrowRight", 39, 1), ("ArrowLeft", 37, 0), ("End", 35, -1 - start[picker])):
                tab.key(key, code)
                goes(picker, step)
            self.assert_comes(tab, "document.querySelector('.focused .name')?.textContent.toLowerCase()", picker)
        tab.value("kiosk.pickers.get('cup').region.querySelector('[tabindex=\"0\"]').focus()")
        tab.key("ArrowRight", 39)
        goes("cup", 1)
        tab.wait("document.activeElement.getAttribute('aria-checked') === 'true'")
        tab.key("ArrowDown", 40)
        goes("cup", 7)
        tab.value("kiosk.pickers.get('cup').region.children[2].click()")
        goes("cup", 2 - start["cup"])
        tab.value("kiosk.pickers.get('drink').region.querySelector('[data-index=\"4\"]').click()")
        goes("drink", 4 - start["drink"])
        self.assert_shows(tab, client)

    def test_assistive_technology(self):
        """The browser's accessibility tree has roles, names and values."""
        _, client = self.daemon()
        tab = self.page()
        tab.wait(READY)
        client.call("select", picker="amount", value=200)
        self.assert_shows(tab, client)

        def read():
            """The tree, once it has the value: the browser builds it anew in its own time."""
            nodes = [{"role": node["role"]["value"], "name": node.get("name", {}).get("value"),
                      **{part["name"]: part["value"].get("value") for part in node.get("properties", [])},
                      "value": node.get("value", {}).get("value")}
                     for node in tab.call("Accessibility.getFullAXTree")["nodes"] if not node["ignored"]]
            return any(node["name"] == "Amount" and node["value"] == 34 for node in nodes) and nodes

        def find(role, name):
            found = [node for node in nodes if node["role"] == role and node["name"] == name]
            self.assertEqual(len(found), 1, f"{role} {name}")
            return found[0]
        nodes = bench.until("the tree", read)
        self.assertEqual(find("slider", "Amount")["value"], 34)
        find("slider", "Light")
        find("listbox", "Drink")
        self.assertTrue(find("option", "Lungo")["selected"])
        self.assertFalse(find("option", "Espresso")["selected"])
        find("radiogroup", "Cup")
        self.assertEqual(find("radio", "Teal")["checked"], "true")
        self.assertEqual(find("radio", "Red")["checked"], "false")
        for name in ("Amount: less", "Amount: more", "Drink: next", "Cup: previous", "Light: next"):
            find("button", name)
        self.assertEqual(len([node for node in nodes if node["role"] == "status"]), 2)

    def test_reduced_motion(self):
        _, client = self.daemon()
        tab = self.page()
        tab.wait(READY)
        jumps = """new Promise((done) => {
          const picker = kiosk.pickers.get("amount");
          picker.hear = (method, params) => {
            Object.getPrototypeOf(picker).hear.call(picker, method, params);
            if (method === "settle") done(picker.motion.at(params.time_us) === params.offset_to);
          };
          picker.move(3);
        })"""
        self.assertFalse(tab.value(jumps))
        tab.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
        self.assertTrue(tab.value(jumps))
        self.assert_shows(tab, client)

    def test_lost_connection_cancels(self):
        """A finger holds the ruler when the daemon dies: the page goes back to what was chosen before."""
        hand = fingers.Fingers(bench.KIOSK / "portrait.toml")
        hand.pause(1)
        hand.drag("amount", -300, 0.5, lifts=False)
        hand.pause(600)
        hand.event("up")
        tab = self.page()
        process, client = self.daemon(hand)
        tab.wait(READY)
        before = "150 ml"
        tab.wait("kiosk.pickers.get('amount').motion.phase === 'drag'")
        tab.wait(f"kiosk.pickers.get('amount').valueText.textContent !== {before!r}")
        process.kill()
        tab.wait("document.getElementById('stage').matches('.off')")
        self.assert_comes(tab, "kiosk.pickers.get('amount').region.getAttribute('aria-valuetext')", before)
        self.assert_comes(tab, "kiosk.pickers.get('amount').motion.phase", "idle")
        process.wait()
        _, client = self.daemon()
        self.assert_shows(tab, client)

    def test_catch(self):
        """A finger stops a gliding carousel: the page stops it, too, where Detent did."""
        hand = fingers.Fingers(bench.KIOSK / "portrait.toml")
        hand.pause(1)
        hand.drag("drink", -400, 0.5)
        hand.pause(0.1)
        hand.event("down", *hand.centre("drink"))
        hand.pause(600)
        hand.event("up")
        tab = self.page()
        _, client = self.daemon(hand)
        tab.wait(READY)

        def caught():
            state = client.call("get", picker="drink")
            return state if state["revision"] == 1 and state["phase"] == "drag" else None
        state = bench.until("the catch", caught)
        tab.wait("kiosk.pickers.get('drink').motion.phase === 'drag'")
        self.assertNotEqual(state["offset"] % state["pitch"], 0)
        bench.until("the same offset", lambda: abs(
            tab.value("kiosk.pickers.get('drink').motion.at(Infinity)") - state["offset"]) < 0.01)

    def test_other_layouts(self):
        """Strips that stand upright, a wheel that turns at swipes, a palette of its own: the page asks only the states."""
        path = f"{self.folder}/upright.toml"
        with open(path, "w", encoding="utf-8") as file:
            file.write(UPRIGHT)
        hand = fingers.Fingers(path)
        hand.event("down", 100 + 61, 1700 + 50 + 110)
        hand.pause(600)
        hand.event("up")
        hand.write(f"{self.folder}/held.jsonl")
        process = self.enterContext(bench.daemon(self.path, path, f"{self.folder}/held.jsonl"))
        client = bench.Client(self.path)
        self.addCleanup(client.close)
        bench.until("the press", lambda: client.call("get", picker="palette")["pressed"] == 5)
        tab = self.page()
        tab.wait(READY)
        # The page came while a finger was on a swatch.
        tab.wait("document.querySelectorAll('.swatch')[5].matches('.pressed')")
        self.assert_comes(tab, "document.querySelectorAll('.swatch.pressed').length", 1)
        for step in (1, 1, 3, 3, -2, -4, 5, 2):
            client.call("move", picker="wheel", by=step)
        client.call("select", picker="level", value=12)
        client.call("select", picker="menu", value="c")
        client.call("move", picker="palette", by=2)
        self.assertFalse(client.call("get", picker="palette")["pressed"])
        self.assert_shows(tab, client)
        centre = """((node) => { const box = node.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2, box.width, box.height].map(Math.round); })"""
        self.assert_comes(tab, f"{centre}(document.querySelector('.card[aria-selected=true]'))", [750, 500, 300, 440])
        self.assert_comes(tab, f"{centre}(document.querySelectorAll('.swatch')[5])", [161, 1860, 100, 100])
        mark = "[...document.querySelectorAll('.mark')].find((mark) => mark.textContent === '12')"
        self.assert_comes(tab, f"{centre}({mark})[1]", 500)
        process.kill()
        tab.wait("document.getElementById('stage').matches('.off')")

    def test_slow_page_catches_up(self):
        """A page that does not come to read is sent a resync, and shows the last selection."""
        _, client = self.daemon()
        tab = self.page()
        tab.wait(READY)
        tab.value("""
          globalThis.resyncs = 0;
          const parse = JSON.parse;
          JSON.parse = (text) => { const m = parse(text); if (m.method === "resync") resyncs += 1; return m; };
        """)
        accepted = client.call("stats")["clients_accepted"]
        with self.browser.stopped():
            # More than sockets and queues hold, 2 MiB: with long titles that is soon reached.
            values = [{"value": value, "title": str(value) * 20000} for value in (0, 1)]
            client.call("add", id="long", type="ruler", display="main", values=values,
                        region={"x": 0, "y": 0, "width": 10, "height": 10})
            for step in range(120):
                client.call("select", picker="long", index=(step + 1) % 2)
            client.call("remove", picker="long")
            client.call("select", picker="amount", value=355)
        self.assert_shows(tab, client)
        # On a machine that takes ten seconds for this, the stream is ended instead, and begins anew.
        stats = client.call("stats")
        self.assertGreater(tab.value("resyncs") + stats["clients_accepted"] - accepted, 0)


def same(shown, want):
    return all(abs(shown[key] - want[key]) < 0.01 if isinstance(want[key], (int, float)) else shown[key] == want[key]
               for key in want)
