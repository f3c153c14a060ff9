# SPDX-License-Identifier: Apache-2.0
"""Instructions, calls and allocations of the harness, counted by valgrind: the same on every machine and under any load."""
import os
import re
import subprocess
import tempfile


class Counts:
    """What one run did, by function."""

    def __init__(self, path):
        names, self.cost, self.calls = {}, {}, {}

        def name(text):
            number, _, given = text.partition(" ")
            if given:
                names[number] = given
            return names[number]

        current = callee = None
        is_call = False
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                line = line.rstrip("\n")
                if line.startswith("fn="):
                    current = name(line[3:])
                elif line.startswith("cfn="):
                    callee = name(line[4:])
                elif line.startswith("calls="):
                    self.calls[callee] = self.calls.get(callee, 0) + int(line[6:].split()[0])
                    # The next line's cost is the callee's, counted there.
                    is_call = True
                elif re.match(r"[0-9+*-]", line):
                    if not is_call:
                        self.cost[current] = self.cost.get(current, 0) + int(line.split()[1])
                    is_call = False

    @property
    def instructions(self):
        return sum(self.cost.values())

    @property
    def allocations(self):
        return sum(self.calls.get(name, 0) for name in ("malloc", "calloc", "realloc", "posix_memalign"))

    def calls_of(self, *words):
        return sum(count for name, count in self.calls.items() if all(word in name for word in words))


def run(harness, *arguments, only=None):
    with tempfile.TemporaryDirectory() as folder:
        # valgrind does not read Swift's debugging information.
        stripped, out = f"{folder}/benchmark", f"{folder}/out"
        subprocess.run(["strip", "-g", harness, "-o", stripped], check=True)
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}",
             *([f"--toggle-collect={only}"] if only else []), stripped, *arguments],
            capture_output=True, text=True, env=os.environ | {"LC_ALL": "C"})
        if done.returncode:
            raise SystemExit(f"bench: {arguments}: {done.stderr[-800:]}")
        return Counts(out)


class Difference:
    """What one more of something costs: the difference of a long run and a short one, by its length."""

    def __init__(self, harness, arguments, option, short, long, only=None):
        self.short = run(harness, *arguments, option, str(short), only=only)
        self.long = run(harness, *arguments, option, str(long), only=only)
        self.number = long - short

    def _each(self, figure):
        return (figure(self.long) - figure(self.short)) / self.number

    @property
    def instructions(self):
        return self._each(lambda counts: counts.instructions)

    @property
    def allocations(self):
        return self._each(lambda counts: counts.allocations)

    def calls_of(self, *words):
        return self._each(lambda counts: counts.calls_of(*words))

    def profile(self, most):
        """The functions that cost most, with their instructions each time."""
        costs = {name: (cost - self.short.cost.get(name, 0)) / self.number for name, cost in self.long.cost.items()}
        return sorted(costs.items(), key=lambda item: -item[1])[:most]
