#!/usr/bin/env python3
# What fastcov does, which is no Debian package: gcov's JSON from several processes at once, merged, written as one JSON.
# like_fastcov.py FOLDER OUTPUT
import json, os, subprocess, sys
from concurrent.futures import ThreadPoolExecutor

folder, output = sys.argv[1:]
found = sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names if name.endswith(".gcda"))
jobs = os.cpu_count() or 1


def collect(files):
    said = subprocess.run(["gcov", "-b", "--json-format", "--stdout", *files], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return [json.loads(line) for line in said.stdout.splitlines()]


merged = {}
with ThreadPoolExecutor(jobs) as pool:
    for units in pool.map(collect, [found[i::jobs] for i in range(jobs) if found[i::jobs]]):
        for unit in units:
            for file in unit["files"]:
                path = os.path.normpath(os.path.join(unit["current_working_directory"], file["file"]))
                into = merged.setdefault(path, {"functions": {}, "branches": {}, "lines": {}})
                for function in file["functions"]:
                    known = into["functions"].setdefault(function["name"], {"start_line": function["start_line"], "execution_count": 0})
                    known["execution_count"] += function["execution_count"]
                for line in file["lines"]:
                    number = line["line_number"]
                    into["lines"][number] = into["lines"].get(number, 0) + line["count"]
                    counts = into["branches"].setdefault(number, [])
                    counts.extend([0] * (len(line["branches"]) - len(counts)))
                    for i, branch in enumerate(line["branches"]):
                        counts[i] += branch["count"]
with open(output, "w") as out:
    json.dump({"sources": merged}, out)
