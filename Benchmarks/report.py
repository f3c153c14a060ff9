# SPDX-License-Identifier: Apache-2.0
"""What scripts/bench does: builds, measures, compares with the budgets, prints tables."""
import collections
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import configurations
import counts
import daemon

PARTS = ["frames", "scale", "memory", "start", "rest", "readers"]
QUICK = ["frames", "scale"]


class Report:
    """The tables, and whether every budget holds."""

    def __init__(self):
        self.is_within = True

    def table(self, title, head):
        print(f"\n### {title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")

    def row(self, *cells):
        print(f"| {' | '.join(cells)} |", flush=True)

    def figure(self, what, value, budget=None, unit="", digits=0):
        """A figure that may be at most its budget."""
        is_over = budget is not None and value > budget
        if is_over:
            self.is_within = False
        said = f"{value:,.{digits}f}{unit}"
        self.row(what, f"**{said}**" if is_over else said, "" if budget is None else f"{budget:,}{unit}")


class Bench:
    # Scene.handle, by the name that the compiler gives it, and all that it calls.
    SCENE = "*5SceneAAV6handle*"
    # Scene.open.
    OPEN = "*5SceneAAV4open*"

    def __init__(self, tree, is_quick, is_real_time):
        self.tree, self.is_quick, self.is_real_time, self.report = tree, is_quick, is_real_time, Report()
        self.folder = tempfile.TemporaryDirectory(prefix="detent-bench.")

    def build(self):
        """The release as it is installed: Swift linked statically, without symbols."""
        options = ["-c", "release", "--static-swift-stdlib"]
        subprocess.run(["swift", "build", *options], cwd=self.tree, check=True, stdout=sys.stderr)
        shown = subprocess.run(["swift", "build", *options, "--show-bin-path"], cwd=self.tree, check=True,
                               capture_output=True, text=True)
        self.binaries = shown.stdout.strip()
        self.harness = f"{self.binaries}/benchmark"
        self.installed = f"{self.folder.name}/detentd"
        subprocess.run(["strip", f"{self.binaries}/detentd", "-o", self.installed], check=True)
        # What of the file is not on the disk yet would count as the process's own memory.
        os.sync()

    def file(self, name, text):
        path = f"{self.folder.name}/{name}"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def machine(self):
        model = "unknown processor"
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    model = line.split(":", 1)[1].strip()
        commit = subprocess.run(["git", "-C", self.tree, "log", "-1", "--format=%h"], capture_output=True, text=True)
        print(f"{time.strftime('%Y-%m-%d')}, {model}, {os.cpu_count()} processors, Linux {platform.release()}, "
              f"commit {commit.stdout.strip()}")

    def frames(self):
        moves = 2_000 if self.is_quick else 100_000
        config = self.file("ten.toml", configurations.ten())
        self.report.table(f"One touch frame, over {moves:,} moves", ["", "measured", "budget"])

        def cost(part, *options, only=None):
            return counts.Difference(self.harness, ["frames", "--config", config, "--part", part, *options],
                                     "--moves", 1_000, 1_000 + moves, only)

        service = cost("service")
        pure = cost("pure", only=self.SCENE)
        self.report.figure("instructions, a subscriber to motion", service.instructions, 25_000)
        self.report.figure("of these in Gestures, Pickers and Scene", pure.instructions, 1_500)
        self.report.figure("allocations in Gestures, Pickers and Scene", pure.allocations, 0, digits=2)
        self.report.figure("allocations in all", service.allocations, digits=2)
        if not self.is_quick:
            other = cost("service", "--subscription", "{}")
            self.report.figure("instructions, a subscriber to all but motion", other.instructions)
            self.report.table("Where they go: a subscriber to motion", ["function", "instructions"])
            for name, each in service.profile(15):
                self.report.row(f"`{name[:90]}`", f"{each:,.0f}")

    def scale(self):
        self.report.table("Scale", ["", "measured", "budget"])
        routing = [
            counts.Difference(self.harness, ["routing", "--config", self.file("grid.toml", configurations.grid(side))],
                              "--touches", 200, 1_200, self.SCENE).instructions
            for side in (2, 64)]
        self.report.figure("a touch on one of 4096 pickers, against one of 4", routing[1] / routing[0], 3, " ×", 2)
        opening = [
            counts.run(self.harness, "routing", "--config", self.file("grid.toml", configurations.grid(side)),
                       "--touches", "0", only=self.OPEN).instructions / side ** 2
            for side in (16, 64)]
        self.report.figure("opening one of 4096 pickers, against one of 256", opening[1] / opening[0], 2, " ×", 2)
        memory = [daemon.idle_memory(self.installed, configurations.one(values))[0] for values in (10, 1_000_000)]
        # Pages are 4 KiB, and the heap's are not the same twice.
        self.report.figure("memory of a ruler of a million values, over one of ten", memory[1] - memory[0], 64, " KiB")
        config = self.file("ten.toml", configurations.ten())
        few, many = 2, 256 if os.getuid() == 0 else 64
        clients = {number: counts.Difference(
            self.harness, ["frames", "--config", config, "--subscribers", str(number)], "--moves", 50, 150)
            for number in (few, many)}
        lines = {number: cost.calls_of("EventEncoder", "write") for number, cost in clients.items()}
        self.report.figure(f"lines encoded for {many} subscribers, against {few}", lines[many] / lines[few], 1, " ×", 2)
        each = (clients[many].instructions - clients[few].instructions) / (many - few)
        self.report.figure(f"instructions of each subscriber after the second", each)
        whole = clients[few].instructions - each
        self.report.figure("of what a frame costs with one", each / whole, 0.35, " ×", 2)

    def memory(self):
        self.report.table("Memory: ten pickers, two clients", ["", "Private_Dirty", "RSS"])
        recording = configurations.drags(20_000, 50)
        marks = (100_000, 500_000, 1_000_000, 2_000_000, 5_000_000)
        found = daemon.memory(self.installed, configurations.ten(), recording, marks)
        for mark, (dirty, resident) in zip(marks, found):
            self.report.row(f"after {mark:,} events", f"{dirty:,} KiB", f"{resident:,} KiB")
        self.report.row("budget", "5,120 KiB", "18,432 KiB")
        self.report.figure("Private_Dirty at the end, of that after a million", found[-1][0] / found[2][0], 1.1, " ×", 2)
        dirty, resident = found[-1]
        if dirty > 5_120 or resident > 18_432:
            self.report.is_within = False

    def start(self):
        self.report.table("Start, median of 20", ["", "measured", "budget"])
        elapsed, processor = daemon.start_ms(self.installed, configurations.ten(), 20)
        self.report.figure("exec to readiness, ten pickers, no device", elapsed, 60, " ms", 1)
        self.report.figure("processor time of that, the dynamic linker's and libinput's included", processor, 20, " ms", 1)

    def rest(self):
        self.report.table("Rest", ["", "measured", "budget"])
        self.report.figure("wake-ups in 30 s without input", daemon.rest(self.installed, configurations.ten(), 30), 0)

    def readers(self):
        config = self.file("ten.toml", configurations.ten())
        command = [self.harness, "readers", "--config", config, "--binaries", self.binaries,
                   "--scripts", f"{self.tree}/Benchmarks"]
        if not os.access("/dev/uinput", os.W_OK):
            guest = [f"{self.tree}/scripts/guest", "--timeout", "5400"]
            if not self.is_real_time:
                # Its processor never sleeps: a wake-up costs its instructions and no more.
                guest.append("--steady")
                command += ["--spinners", "0", "--seconds", "1"]
            command = [*guest, "--", *command]
        lines = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=self.tree).stdout
        runs = [json.loads(line) for line in lines.splitlines() if line.startswith("{")]
        shutil.copy(self.file("readers.jsonl", lines), f"{self.tree}/.build/readers.jsonl")
        for rate in sorted({run["rate"] for run in runs}):
            self.readers_at(rate, [run for run in runs if run["rate"] == rate])

    def readers_at(self, rate, runs):
        by_name = collections.defaultdict(list)
        for run in runs:
            by_name[run["name"]].append(run)

        def ratio(name, other, field):
            """The median over repetitions of the ratio within each."""
            pairs = zip(by_name[name], by_name[other])
            found = [a[field] / b[field] for a, b in pairs if a[field] is not None and b[field]]
            return statistics.median(found) if found else None

        def middle(name, field):
            values = [run[field] for run in by_name[name] if run[field] is not None]
            return statistics.median(values) if values else None

        def text(value, digits=0):
            return "" if value is None else f"{value:,.{digits}f}"

        floor, ours, stuck, rest = (
            "floor: libinput", "detentd, motion", "detentd, motion, and a stuck client", "detentd, all but motion")
        self.report.table(
            f"{rate} frames a second, medians of {len(by_name[floor])} runs", [
                "", "latency µs", "99 % µs", "latency, of the libinput floor's", "ms of processor for 10,000 frames",
                "of the libinput floor's", "Private_Dirty KiB", "RSS KiB"])
        for name in by_name:
            self.report.row(
                name, text(middle(name, "median_us")), text(middle(name, "p99_us")),
                text(ratio(name, floor, "median_us"), 2), text(middle(name, "processor_ms")),
                text(ratio(name, floor, "processor_ms"), 2), text(middle(name, "dirty_kb")),
                text(middle(name, "resident_kb")))
        self.report.table(f"Budgets at {rate} frames a second", ["", "measured", "budget"])
        for what, name, other, field, budget in (
                ("latency, of the libinput floor's", ours, floor, "median_us", 1.5),
                ("99th percentile of that, of the libinput floor's", ours, floor, "p99_us", None),
                ("latency beside a stuck client, of that without", stuck, ours, "median_us", 1.1),
                ("processor time for all but motion, of debug-events'", rest, "libinput debug-events", "processor_ms", 1)):
            value = ratio(name, other, field)
            if value is not None:
                self.report.figure(what, value, budget, " ×", 2)


def main(tree, words, usage):
    is_quick, is_real_time = "--quick" in words, "--real-time" in words
    parts = [word for word in words if word not in ("--quick", "--real-time")]
    if "--help" in words or "-h" in words:
        print(usage.strip())
        return 0
    if any(part not in PARTS for part in parts):
        print(usage.strip(), file=sys.stderr)
        return 2
    if subprocess.run([f"{tree}/scripts/setup", "--bench"]).returncode:
        return 1
    bench = Bench(tree, is_quick, is_real_time)
    bench.build()
    bench.machine()
    for part in parts or (QUICK if is_quick else PARTS):
        getattr(bench, part)()
    return 0 if bench.report.is_within else 1
