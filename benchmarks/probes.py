"""What probes cost, and whether they miss a function that callgrind saw.

probes.py cost TABLES RUNTIME WORK STEP ROUNDS PROGRAM...    JSON: CPU of tests plain and under probes, in turns
probes.py truth TABLES RUNTIME WORK STEP PROGRAM             JSON: entries of tests that callgrind has and a row lacks
probes.py batch TABLES RUNTIME WORK STEP ROUNDS PROGRAM      JSON: CPU of all tests in one process, and of a series that records each

TABLES is morph_probe_tables, RUNTIME libmorph_probe.so. Of GoogleTest's tests every STEPth runs in a process of its own.
"""
import json
import os
import pathlib
import re
import resource
import shutil
import statistics
import struct
import subprocess
import sys

OF_START_FILES = {"_start", "_init", "_fini", "deregister_tm_clones", "register_tm_clones", "frame_dummy",
                  "__do_global_dtors_aux", "(below main)"}


def tests_of(program, step):
    listed = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True).stdout
    found, suite = [], ""
    for line in listed.splitlines():
        name = line.split("#")[0].rstrip()
        if name and not name.startswith(" "):
            suite = name
        elif name and "DISABLED_" not in suite + name:
            found.append(suite + name.strip())
    return found[::step]


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Probes:
    def __init__(self, tables, runtime, work):
        self.tables, self.runtime, self.work = tables, runtime, pathlib.Path(work)
        shutil.rmtree(self.work, ignore_errors=True)

    def folder(self, name):
        path = self.work / name
        path.mkdir(parents=True, exist_ok=True)
        return path

    def make(self, name, program):
        printed = subprocess.run([self.tables, "make", self.folder(name), program], check=True, capture_output=True, text=True)
        functions, milliseconds = printed.stdout.split()
        return int(functions), float(milliseconds)

    def environment(self, tables, row):
        row = self.folder("rows") / re.sub("[/.]", "_", row)  # one with a dot is the recorder's
        return row, dict(os.environ, MORPH_PROBES=str(self.folder(tables)), MORPH_PROBES_ROW=str(row), LD_PRELOAD=self.runtime)

    def run(self, program, test, environment):
        before = cpu_seconds()
        done = subprocess.run([program, "--gtest_filter=" + test], env=environment, cwd=self.folder("cwd"), capture_output=True)
        return cpu_seconds() - before, done.returncode


def cost(probes, step, rounds, programs):
    """The first run under probes learns; those that are timed have its tables."""
    plain, probed, table_ms, functions, ends = [], [], 0, 0, 0
    for program in programs:
        tests = tests_of(program, step)
        made = probes.make("tables", program)
        functions, table_ms = functions + made[0], table_ms + made[1]
        rows = []
        for test in tests:
            row, environment = probes.environment("tables", test)
            probes.run(program, test, environment)
            rows.append(row)
        subprocess.run([probes.tables, "learn", probes.folder("tables"), program, *rows], check=True, capture_output=True)
        for _ in range(rounds):
            for test in tests:
                alone = probes.run(program, test, dict(os.environ, BENCHMARK_FILTER="none"))
                _, environment = probes.environment("tables", test)
                under = probes.run(program, test, dict(environment, BENCHMARK_FILTER="none"))
                plain.append(alone[0])
                probed.append(under[0])
                ends += alone[1] != under[1]
    def ratio_of(least):
        """Of tests of so many seconds and more; null: there is none."""
        both = [(alone, under) for alone, under in zip(plain, probed) if alone >= least]
        return round(sum(under for _, under in both) / sum(alone for alone, _ in both), 4) if both else None

    return {"programs": len(programs), "runs": len(plain), "ratio_20ms": ratio_of(0.02), "ratio_1s": ratio_of(1), "functions": functions, "table_ms": round(table_ms, 1),
            "plain_ms": round(1000 * statistics.mean(plain), 3), "probed_ms": round(1000 * statistics.mean(probed), 3),
            "ratio": round(sum(probed) / sum(plain), 4), "other_ends": ends}


def series_file(path, cases):
    """As plugin/spool/series.h has it. Where cases have arguments, main() runs for each."""
    texts, rows = bytearray(), bytearray()
    begin = 32 + 24 * len(cases)
    for name, arguments in cases:
        at = [begin + len(texts)]
        texts += name.encode() + b"\0"
        at.append(begin + len(texts) - 1)
        at.append(begin + len(texts))
        for argument in arguments:
            texts += argument.encode() + b"\0"
        rows += struct.pack("<IIIIIi", *at, len(arguments), 0, 0)
    path.write_bytes(b"morphsr2" + struct.pack("<IIiIII", len(cases), 0, 0, 0, int(bool(cases[0][1])), 0) + rows + texts)


def batch(probes, step, rounds, program):
    """By GoogleTest's own function, and by main() as other frameworks' programs."""
    tests = tests_of(program, step)
    probes.make("tables", program)
    rows = []
    for test in tests[::20]:
        row, environment = probes.environment("tables", test)
        probes.run(program, test, environment)
        rows.append(row)
    subprocess.run([probes.tables, "learn", probes.folder("tables"), program, *rows], check=True, capture_output=True)
    used = {"plain": [], "by_test": [], "by_main": []}
    chosen = ":".join(tests)
    for n in range(rounds):
        used["plain"].append(probes.run(program, chosen, dict(os.environ))[0])
        for way in ("by_test", "by_main"):
            row, environment = probes.environment("tables", f"{way}-{n}")
            file = probes.folder("series") / f"{way}-{n}"
            series_file(file, [(test, ["--gtest_filter=" + test] if way == "by_main" else []) for test in tests])
            used[way].append(probes.run(program, chosen, dict(environment, MORPH_PROBES_SERIES=str(file), LD_BIND_NOW="1"))[0])
            states = [struct.unpack_from("<I", file.read_bytes(), 32 + 24 * i + 16)[0] for i in range(len(tests))]
            if states.count(2) != len(tests):
                raise RuntimeError(f"{len(tests) - states.count(2)} tests did not end in the series")
    middle = {way: statistics.median(seconds) for way, seconds in used.items()}
    return {"tests": len(tests), "plain_ms": round(1000 * middle["plain"] / len(tests), 3),
            "by_test_ratio": round(middle["by_test"] / middle["plain"], 2), "by_main_ratio": round(middle["by_main"] / middle["plain"], 2)}


def truth(probes, step, program):
    probes.make("tables", program)
    entries, missed, extra, real = 0, {}, {}, os.path.realpath(program)
    tests = tests_of(program, step)
    for test in tests:
        trace = probes.folder("traces") / "trace"
        subprocess.run(["valgrind", "--tool=callgrind", "--demangle=no", "--compress-strings=no", "--compress-pos=no",
                        f"--callgrind-out-file={trace}", program, "--gtest_filter=" + test], capture_output=True, check=True,
                       cwd=probes.folder("cwd"))
        seen, file = set(), ""
        for line in trace.read_text(errors="replace").splitlines():
            if line.startswith("ob="):
                file = line[3:].strip()
            elif line.startswith("fn=") and file == real:
                seen.add(re.sub(r"'\d+$", "", line[3:].strip()))
        row, environment = probes.environment("tables", test)
        probes.run(program, test, environment)
        printed = subprocess.run([probes.tables, "entered", row, program], check=True, capture_output=True, text=True).stdout
        functions = [set(line.split()) for line in printed.splitlines()]
        names = set().union(*functions)
        entries += len(seen)
        for name in seen - names - OF_START_FILES:
            if not name.startswith("0x") and ".cold" not in name:
                missed[name] = missed.get(name, 0) + 1
        for function in functions:
            if not function & seen:
                name = min(function)
                extra[name] = extra.get(name, 0) + 1
    return {"tests": len(tests), "entries": entries, "missed": sum(missed.values()), "extra": sum(extra.values()),
            "missed_names": sorted(missed)[:20], "extra_names": sorted(extra)[:20]}


def main():
    what, tables, runtime, work, step = sys.argv[1:6]
    probes = Probes(tables, runtime, work)
    if what == "cost":
        print(json.dumps(cost(probes, int(step), int(sys.argv[6]), sys.argv[7:])))
    elif what == "batch":
        print(json.dumps(batch(probes, int(step), int(sys.argv[6]), sys.argv[7])))
    else:
        print(json.dumps(truth(probes, int(step), sys.argv[6])))


main()
