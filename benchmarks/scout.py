#!/usr/bin/env python3
"""One subject of scout.sh: relations, CPU time beside that of reading alone, and agreement with labels. Prints a line of JSON."""
import argparse
import collections
import json
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import tempfile

PROJECTS = {"cli11": "CLI11"}  # as labels call them


def children_cpu_s():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_cpu_s(command, **options):
    before = children_cpu_s()
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(map(str, command))}: {done.stderr[-500:]}")
    return done.stdout, children_cpu_s() - before


def read_alone(morph, source, build, files):
    """Seconds of CPU to parse the same sources with the same options and the same Clang."""
    units = [
        {"directory": each["directory"], "file": each["file"], "arguments": shlex.split(each["command"]), "mutants": []}
        for each in json.loads((build / "compile_commands.json").read_text())
        if each["file"] in files
    ]
    seen = set()
    units = [each for each in units if each["file"] not in seen and not seen.add(each["file"])]
    libraries = subprocess.run(["c++", "-print-libgcc-file-name"], capture_output=True, text=True).stdout.strip()
    job = {
        "mirror": "", "from": [], "options": ["--gcc-install-dir=" + str(pathlib.Path(libraries).parent)], "root": str(source),
        "except": [str(build)], "operators": [], "extreme": False, "task": "check", "workers": 2, "units": units,
    }  # fmt: skip
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(job, file)
        file.flush()
        return run_cpu_s([morph / "lib/morph/morph-source", file.name])[1]


def lines_of(label):
    return {int(number) for each in label["instances"] for line in [each["assert_line"], *(each.get("also_lines") or [])]
            for number in re.findall(r"\d+$", str(line).split(" ")[0])}  # fmt: skip


def agreement(labels, tests, disagreements):
    """Counts by the set of the labels: of tests that hold relations, hit (one of the lines was found) and missed; of those
    that do not, false and right_without."""
    made = collections.defaultdict(collections.Counter)
    for label in labels:
        if label["mtc"] == "unsure" or label.get("conditional") or (label["mtc"] == "no" and label["fig2_echo"]):
            continue
        same = [each for each in tests if (each["file"], each["line"]) == (label["file"], label["line"])]
        if label.get("section_line") is not None:
            leaf = label["section_line"] if isinstance(label["section_line"], int) else label["section_line"][-1]
            same = [each for each in same if each["sections"] and each["sections"][-1]["line"] == leaf]
        found = {one["line"] for each in same for one in each["relations"] if not one["is_echo"]}
        if label["mtc"] == "yes":
            outcome = "hit" if found & lines_of(label) else "missed"
        else:
            outcome = "false" if found else "right_without"
        made[label["set"]][outcome] += 1
        if outcome in ("missed", "false"):
            disagreements.write(json.dumps({"label": label["id"], "outcome": outcome, "lines": sorted(found)}) + "\n")
    return {name: {each: counts[each] for each in ("hit", "missed", "false", "right_without")} for name, counts in made.items()}


def main():
    options = argparse.ArgumentParser()
    for name in ("subject", "morph", "source", "build", "disagreements"):
        options.add_argument("--" + name, required=True)
    options.add_argument("--labels")
    asked = options.parse_args()
    morph, source, build = pathlib.Path(asked.morph), pathlib.Path(asked.source), pathlib.Path(asked.build)
    out, scout_cpu_s = run_cpu_s([morph / "bin/morph", "scout", "--build", build, "--json", "--quiet"])
    found = json.loads(out)
    files = {str(source / each) for each in found["files"]}
    kinds = collections.Counter(one["transformation"] for each in found["tests"] for one in each["relations"] if not one["is_echo"])
    row = {
        "subject": asked.subject,
        "sources": found["sources"],
        "tests": found["tests_read"],
        "with_relations": sum(any(not one["is_echo"] for one in each["relations"]) for each in found["tests"]),
        "relations": found["relations"],
        "transformations": kinds,
        "read_in_part": len(found["errors"]),
        "scout_cpu_s": round(scout_cpu_s, 2),
        "read_cpu_s": round(read_alone(morph, source, build, files), 2),
    }
    if asked.labels:
        project = PROJECTS.get(asked.subject, asked.subject)
        labels = [json.loads(line) for line in pathlib.Path(asked.labels).read_text().splitlines()]
        with open(asked.disagreements, "a") as disagreements:
            row["labelled"] = agreement([each for each in labels if each["project"] == project], found["tests"], disagreements)
    print(json.dumps(row))


main()
