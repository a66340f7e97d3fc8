"""ctest's own runs, killed at random: is a row lost that was complete, is one wrong?

kills.py MORPH PREFIX FOLDER KILLS SEED    JSON: the figures

A library and two programs of GoogleTest cases in FOLDER, of which ctest's runs are the evidence. In each round some sources change,
ctest runs, and a signal ends ctest's process group, one test or the recorder. What was recorded is compared with the rows of runs that
were not disturbed; then ctest runs to its end.
"""
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

FUNCTIONS = 10
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(Kills CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(numbers SHARED {sources})
foreach(name one two)
  add_executable(${{name}}_tests ${{name}}.cpp)
  target_link_libraries(${{name}}_tests numbers GTest::gtest_main)
  target_compile_definitions(${{name}}_tests PRIVATE DATA="${{CMAKE_CURRENT_SOURCE_DIR}}")
  morph_add_suite(${{name}} TARGET ${{name}}_tests)
endforeach()
"""
HEAD = """#include <gtest/gtest.h>
#include <unistd.h>
#include <cstdlib>
#include <fstream>
#include <string>
"""
CASE = """TEST({suite}, Case{n}) {{
  std::getenv("NUMBER_{n}");
  std::string line;
  std::getline(std::ifstream(DATA "/data{data}.txt"), line);
  usleep(15000);
  EXPECT_LT(function{first}({n}) + function{second}({n}), 1000000);
  if ({n} % 5 == 0) EXPECT_EQ(std::system("cat " DATA "/data0.txt >/dev/null"), 0);
}}
"""


def quiet(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", **more)


def decode(data, at=0):
    """A value of CBOR, as records have it, and where it ends."""
    kind, low = data[at] >> 5, data[at] & 31
    at += 1
    if kind == 7:
        return {20: False, 21: True, 22: None}[low], at
    if low >= 24:
        size = 1 << (low - 24)
        low = int.from_bytes(data[at:at + size], "big")
        at += size
    if kind == 0:
        return low, at
    if kind == 1:
        return -1 - low, at
    if kind == 2:
        return data[at:at + low], at + low
    if kind == 3:
        return data[at:at + low].decode(), at + low
    items = []
    for _ in range(low * (2 if kind == 5 else 1)):
        item, at = decode(data, at)
        items.append(item)
    return (dict(zip(items[::2], items[1::2])) if kind == 5 else items), at


def id_of_test(suite, name):
    text = "".join(part + "\0" for part in (suite, suite + "_tests", name)).encode()
    return hashlib.sha1(b"blob %d\0" % len(text) + text).hexdigest()[:16]


class Project:
    def __init__(self, morph, prefix, folder):
        self.morph, self.root = morph, pathlib.Path(folder)
        self.build_dir, self.spool = self.root / "build", self.root / "build" / ".morph" / "spool"
        self.learned = self.build_dir / ".morph" / "learned.db"
        shutil.rmtree(self.root, ignore_errors=True)
        self.root.mkdir(parents=True)
        self.values = [0] * FUNCTIONS
        self.write_all()
        for command in (["init", "-q"], ["add", "-A"], ["-c", "user.name=x", "-c", "user.email=x@example.invalid", "commit", "-qm", "first"]):
            quiet("git", *command, cwd=self.root)
        quiet("cmake", "-S", self.root, "-B", self.build_dir, "-G", "Ninja", "-DMORPH_EVIDENCE=probes", f"-DCMAKE_PREFIX_PATH={prefix}")

    def write_all(self):
        sources = []
        for n in range(FUNCTIONS):
            sources.append(f"function{n}.cpp")
            self.write_function(n)
            (self.root / f"data{n}.txt").write_text(f"{n}\n")
        declared = "".join(f"int function{n}(int);\n" for n in range(FUNCTIONS))
        self.names = {}
        for suite in ("one", "two"):
            text = HEAD + declared
            for n in range(15):
                case = {"suite": suite.title(), "n": n, "data": n % FUNCTIONS, "first": n % FUNCTIONS, "second": (n * 3 + len(suite)) % FUNCTIONS}
                text += CASE.format(**case)
                name = f"{suite.title()}.Case{n}"
                self.names[id_of_test(suite, name)] = name
            (self.root / f"{suite}.cpp").write_text(text)
        (self.root / "CMakeLists.txt").write_text(PROJECT.format(sources=" ".join(sources)))
        (self.root / ".gitignore").write_text("/build/\n")

    def write_function(self, n):
        (self.root / f"function{n}.cpp").write_text(f"int function{n}(int value) {{\n  return value + {self.values[n]};\n}}\n")

    def change(self):
        """One or two functions, or a file that tests read."""
        for n in random.sample(range(FUNCTIONS), random.choice((1, 2, 4))):
            if random.random() < 0.2:
                (self.root / f"data{n}.txt").write_text(f"{random.random()}\n")
            else:
                self.values[n] += 1
                self.write_function(n)
        if quiet("cmake", "--build", self.build_dir).returncode != 0:
            raise RuntimeError("the project does not build")

    def start(self):
        return subprocess.Popen(["ctest", "-j2", "-L", "^morph$", "--timeout", "20"], cwd=self.build_dir, start_new_session=True,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def run(self):
        done = quiet("ctest", "-j2", "-L", "^morph$", "--timeout", "20", cwd=self.build_dir)
        started = set(re.findall(r"Start +\d+: (\S+\.Case\d+)", done.stdout))
        return started, done.stdout + done.stderr

    def plan(self):
        """Takes in what was recorded; the tests that it selects, with reasons."""
        planned = json.loads(quiet(self.morph, "plan", "--build", self.build_dir, "--json").stdout)
        return {test["name"]: test["reasons"] for test in planned["tests"] if test["selected"]}

    def forget(self):
        for file in self.learned.parent.glob("learned.db*"):
            file.unlink()
        shutil.rmtree(self.spool, ignore_errors=True)

    def processes(self, pattern):
        return [int(process) for process in quiet("pgrep", "-f", pattern).stdout.split()]

    def recorded(self):
        """Tests with a whole record of a process that came to its end, and all records."""
        passed, count = set(), 0
        for file in list(self.spool.glob("*.rows")) + list(self.spool.glob("*.taken")):
            data = file.read_bytes()
            at = data.find(b"morphrow")
            while at >= 0:
                size = int.from_bytes(data[at + 8:at + 16], "little")
                if at + 24 + size <= len(data):
                    record, _ = decode(data[at + 24:at + 24 + size])
                    count += 1
                    if record["status"] == 0 and not record["incomplete"] and not record["left"]:
                        passed.add(self.names[record["test"]])
                at = data.find(b"morphrow", at + 24)
        return passed, count

    def passed(self, since):
        """As ctest has written it down; an older log is of another run."""
        found = set()
        for name in ("LastTest.log", "LastTest.log.tmp"):
            file = self.build_dir / "Testing" / "Temporary" / name
            text = file.read_text(errors="replace") if file.exists() and file.stat().st_mtime >= since else ""
            found |= set(re.findall(r"\nTest Passed\.\n\"(\S+\.Case\d+)\" end time", text))
        return found

    def rows(self):
        """Of each measurement, the newest last, by test: whether it is complete, whether it was carried over, what it did."""
        measurements = []
        for line in quiet(self.morph, "store", "export", "--store", str(self.learned)).stdout.splitlines():
            read = json.loads(line)
            if "measurement" in read:
                measurements.append((read["measurement"]["created"], {}))
            if "row" in read and read.get("measured") and read["name"]:
                parts = {f"{kind} {part}" for kind in ("functions", "units", "data", "inputs", "lines") for part in read["row"].get(kind) or ()}
                measurements[-1][1][read["name"]] = (read["incomplete"] == 0, read["carried_from"] != "", {without_digest(part) for part in parts})
        return sorted(measurements, key=lambda measurement: measurement[0])

    def whole(self):
        """The complete rows of the newest measurement; of all of the same second."""
        measurements = self.rows()
        return {name for created, rows in measurements if created == measurements[-1][0] for name, row in rows.items() if row[0]}


def without_digest(part):
    """A file's content, the build id of a library: those of this round are in no other."""
    return re.sub(r"\b[0-9a-f]{16,40}\b", "DIGEST", part)


def difference(row, is_carried, reference):
    """A row that was carried over knows functions by their symbol, in whichever source and program."""
    missing, more = reference - row, row - reference
    if is_carried:
        symbols = {part.split(" ")[1] for part in reference if part.startswith("functions ")}
        more = {part for part in more if not part.startswith("functions ") or part.split(" ")[1] not in symbols}
    return missing, more


def kill_one(p, runner, found):
    found["kills"] += 1
    kind = random.choice(("ctest by SIGKILL", "ctest by SIGINT", "a test", "the recorder"))
    victims = {"a test": lambda: p.processes(f"^{p.build_dir}/(one|two)_tests --gtest_filter"),
               "the recorder": lambda: p.processes(f"morph-recorder {p.build_dir}")}
    try:
        if kind in victims:
            for victim in victims[kind]()[:1]:
                os.kill(victim, signal.SIGKILL)
                found["hit"] += 1
        else:
            os.killpg(runner.pid, signal.SIGKILL if kind.endswith("SIGKILL") else signal.SIGINT)
            found["hit"] += runner.poll() is None
    except ProcessLookupError:
        pass
    return kind


def main():
    morph, prefix, folder, count, seed = sys.argv[1:]
    random.seed(int(seed))
    p = Project(morph, prefix, folder)
    p.change()
    p.run()
    p.plan()
    reference = p.rows()[-1][1]
    found = {"kills": 0, "hit": 0, "records": 0, "rows_compared": 0, "rows_wrong": 0, "rows_lost": 0, "rows_incomplete": 0, "ran_again": 0,
             "unsound": 0, "not_at_the_end": 0, "tests": len(reference)}
    if len(reference) != 30 or not all(complete for complete, _, _ in reference.values()):
        raise RuntimeError(f"an undisturbed run has {len(reference)} rows, not all complete")

    def compare(when):
        rows = [(name, *row) for _, of_measurement in p.rows() for name, row in of_measurement.items()]
        for name, complete, is_carried, row in rows:
            found["rows_compared"] += 1
            found["rows_incomplete"] += not complete
            missing, more = difference(row, is_carried, reference[name][2])
            if complete and (missing or more):
                found["rows_wrong"] += 1
                print("wrong:", when, name, "lacks", sorted(missing)[:3], "has", sorted(more)[:3], file=sys.stderr)

    def killed_run():
        """Tests that were recorded, passed and are in the rows from then on; and what was killed."""
        since = time.time()
        runner = p.start()
        time.sleep(random.uniform(0.05, 0.8))
        when = f"{found['kills']} {kill_one(p, runner, found)}"
        if random.random() < 0.2:
            time.sleep(random.uniform(0, 0.3))
            when += ", " + kill_one(p, runner, found)
        runner.wait()
        deadline = time.time() + 5
        while p.processes(f"morph-recorder {p.build_dir}") and list((p.spool / "live").glob("*")) and time.time() < deadline:
            time.sleep(0.01)
        recorded, records = p.recorded()
        found["records"] += records
        expected = recorded & p.passed(since)
        p.plan()
        compare(when)
        whole = p.whole()
        for name in sorted(expected - whole):
            found["rows_lost"] += 1
            print("lost:", when, name, file=sys.stderr)
        return expected & whole, when

    began = time.time()
    while found["kills"] < int(count):
        is_forgotten = random.random() < 0.3
        if is_forgotten:
            p.forget()
        if not is_forgotten or random.random() < 0.5:
            p.change()
        known = set()
        for _ in range(random.choice((1, 2, 3, 4))):
            more, when = killed_run()
            known |= more
        started, _ = p.run()
        again = known & started
        found["ran_again"] += len(again)
        for name in sorted(again):
            print("again:", when, name, file=sys.stderr)
        selected = p.plan()
        if selected:
            p.run()
            selected = p.plan()
        compare(when + ", at the end")
        whole = p.whole()
        lacking = set(reference) - whole | set(selected)
        found["not_at_the_end"] += len(lacking)
        for name in sorted(lacking)[:1]:
            print("not at the end:", when, len(lacking), "as", name, name in whole, selected.get(name), file=sys.stderr)
        found["unsound"] += quiet(p.morph, "store", "verify", "--store", str(p.learned)).returncode != 0
    found["minutes"] = round((time.time() - began) / 60, 1)
    print(json.dumps(found))


main()
