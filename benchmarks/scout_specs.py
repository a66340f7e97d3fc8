#!/usr/bin/env python3
"""One subject of scout.sh --specs: what becomes of its relations as specs, and whether they hold for fresh inputs. Prints a line of JSON."""
import argparse
import collections
import json
import resource
import subprocess
import sys

LISTS = ("like these", "any")  # drawn inputs


def children_cpu_s():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def tried(options, seed):
    before = children_cpu_s()
    done = subprocess.run([options.morph + "/bin/morph", "scout", "--build", options.build, "--specs", "--json", "-q", "--seed", str(seed)],
                          cwd=options.source, capture_output=True, text=True)  # fmt: skip
    if done.returncode != 0:
        sys.exit(f"{options.subject}: {done.stderr[-500:]}")
    return json.loads(done.stdout)["specs"], children_cpu_s() - before


def has_valid(spec):
    return any(run["seeds"] in LISTS and run["pass"] + run["fail"] >= 10 for run in spec["runs"])


def holds(spec, lists):
    runs = [run for run in spec["runs"] if run["seeds"] in lists and run["pass"] + run["fail"] > 0]
    return all(100 * run["pass"] >= 95 * (run["pass"] + run["fail"]) for run in runs)


def main():
    asked = argparse.ArgumentParser()
    for name in ("subject", "morph", "source", "build"):
        asked.add_argument("--" + name, required=True)
    options = asked.parse_args()
    specs, cpu = tried(options, 1)
    fresh = {(each["file"], each["line"], each["name"]): each for each in tried(options, 2)[0]}
    ran = [each for each in specs if each["runs"]]
    kept = [each for each in specs if each["fate"] == "kept"]
    again = [(each, fresh.get((each["file"], each["line"], each["name"]))) for each in kept]
    drawn = [(each, other) for each, other in again if other is not None and set(each["seeds"]) & set(LISTS)]
    core = [each for each in ran if all("std::" not in one["type"] or one["type"] == "std::string" for one in each["inputs"])]
    print(json.dumps({
        "subject": options.subject, "specs": len(specs), "fates": collections.Counter(each["fate"] for each in specs),
        "compile": sum(each["fate"] not in ("does not compile", "does not link") for each in specs), "ran": len(ran),
        "with_valid_inputs": sum(map(has_valid, ran)), "of_core_types": len(core), "core_with_valid_inputs": sum(map(has_valid, core)),
        "kept": len(kept), "kept_with_drawn_inputs": len(drawn), "hold_for_fresh": sum(holds(other, each["seeds"]) for each, other in drawn),
        "cpu_s": round(cpu, 1),
        "suspicious": [{key: each[key] for key in ("name", "file", "line", "text", "why")} for each in specs if each["fate"] == "violated"],
    }))  # fmt: skip


main()
