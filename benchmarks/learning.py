"""What ctest's own runs teach: its cost, a walk of faults, and runs that are killed.

learning.py MORPH SOURCE PROGRAM SECONDS KILLS    JSON: the figures

SOURCE/build is a build with MORPH_EVIDENCE=probes, PROGRAM its one program of GoogleTest cases. The walk takes SECONDS.
"""
import glob
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

OPERATORS = [(" == ", " != "), (" != ", " == "), (" < ", " >= "), (" && ", " || "), (" || ", " && "), ("true", "false"),
             ("false", "true"), (" + ", " - "), (" > ", " <= "), ("return 1", "return 0"), ("++", "--")]
TIME_LIMIT = "20"


def quiet(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", **more)


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Project:
    def __init__(self, morph, source, program):
        self.morph, self.source = morph, pathlib.Path(source)
        self.build_dir = self.source / "build"
        self.program = self.build_dir / program

    def build(self):
        return quiet("cmake", "--build", self.build_dir).returncode == 0

    def ctest(self, *options):
        return quiet("ctest", "-j2", "--timeout", TIME_LIMIT, *options, cwd=self.build_dir)

    def forget(self):
        shutil.rmtree(self.source / ".morph", ignore_errors=True)
        shutil.rmtree(self.build_dir / ".morph" / "spool", ignore_errors=True)
        (self.build_dir / ".morph" / "learned.db").unlink(missing_ok=True)

    def plan(self):
        return json.loads(quiet(self.morph, "plan", "--build", self.build_dir, "--json").stdout)

    def selected(self):
        return {test["name"] for test in self.plan()["tests"] if test["selected"]}

    def failing(self):
        """Of all tests in one process; None if they do not come to an end."""
        done = quiet("timeout", TIME_LIMIT, self.program, "--gtest_brief=1")
        names = re.findall(r"\[  FAILED  \] (\S+?)(?:,| \(|\n|$)", done.stdout)
        return {name for name in names if "." in name} if done.returncode in (0, 1) else None

    def recorders(self):
        return [int(p) for p in quiet("pgrep", "-f", f"morph-recorder {self.build_dir}").stdout.split()]

    def rows(self):
        """Of the last measurement, by test: what it executed and read."""
        rows = {}
        store = str(self.build_dir / ".morph" / "learned.db")
        for line in quiet(self.morph, "store", "export", "--store", store).stdout.splitlines():
            read = json.loads(line)
            if "measurement" in read:
                rows = {}
            if "row" in read and read.get("measured"):
                rows[read["name"]] = json.dumps([read["row"].get(kind) for kind in ("functions", "units", "data", "inputs", "lines")])
        return rows


def cost(p):
    p.build()
    p.forget()
    before = cpu_seconds()
    p.ctest("-L", "^morph$")
    first = cpu_seconds() - before
    ticks = os.sysconf("SC_CLK_TCK")
    recorder = 0
    for process in p.recorders():
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        recorder += (int(fields[11]) + int(fields[12])) / ticks
    started = time.time()
    p.ctest("-L", "^morph$")
    second = time.time() - started
    before = cpu_seconds()
    p.ctest()
    plain = cpu_seconds() - before
    return {"first_cpu": round(first + recorder, 2), "recorder_cpu": round(recorder, 2), "second_wall": round(second, 2),
            "plain_cpu": round(plain, 2)}


def places_of_faults(source):
    places = []
    for path in sorted(glob.glob(str(source / "src" / "*.cpp")) + glob.glob(str(source / "src" / "*.h"))):
        for number, line in enumerate(open(path, errors="surrogateescape")):
            if not line.lstrip().startswith(("//", "#", "template", "*")):
                places += [(path, number, old, new) for old, new in OPERATORS if old in line]
    return places


def walk(p, seconds):
    """From one fault to the next, every third time by way of the clean sources; each state is learned."""
    found = {"states": 0, "failing": 0, "missed": 0, "ended_early": 0, "unrecorded": 0}
    shares = []

    def visit(what):
        if not p.build():
            return
        failing, plan = p.failing(), p.plan()
        selected = {test["name"] for test in plan["tests"] if test["selected"]}
        found["states"] += 1
        shares.append(len(selected) / len(plan["tests"]))
        if failing is None:
            found["ended_early"] += 1
        else:
            found["failing"] += len(failing)
            found["missed"] += len(failing - selected)
            for name in sorted(failing - selected)[:3]:
                print("missed:", name, *what, file=sys.stderr)
        found["unrecorded"] += "not recorded" in p.ctest("-L", "^morph$").stderr

    places = places_of_faults(p.source)
    random.shuffle(places)
    p.forget()
    visit(["clean"])
    until = time.time() + seconds
    for count, (path, number, old, new) in enumerate(places):
        if time.time() > until:
            break
        text = pathlib.Path(path).read_text(errors="surrogateescape")
        lines = text.split("\n")
        lines[number] = lines[number].replace(old, new, 1)
        pathlib.Path(path).write_text("\n".join(lines), errors="surrogateescape")
        try:
            visit([path, number + 1, old, new])
        finally:
            pathlib.Path(path).write_text(text, errors="surrogateescape")
        if count % 3 == 2:
            visit(["clean"])
        if count % 6 == 5:
            quiet(p.morph, "record", "--build", p.build_dir)
    found["selected_pct"] = round(100 * sum(shares) / len(shares), 1)
    p.build()
    return found


def tests_that_run(p):
    return [int(process) for process in quiet("pgrep", "-f", f"^{p.program} ").stdout.split()]


def kill_one(p, runner):
    victims = {"ctest": [runner.pid], "test": tests_that_run(p), "recorder": p.recorders(), "all": [-runner.pid]}
    for victim in victims[random.choice(list(victims))][:1]:
        try:
            (os.killpg if victim < 0 else os.kill)(abs(victim), signal.SIGKILL)
        except ProcessLookupError:
            pass


def kills(p, count):
    """Each row that is there after runs that were killed is as in one that was not."""
    p.build()
    p.forget()
    p.ctest("-L", "^morph$")
    p.plan()
    reference = p.rows()
    compared = differ = unsound = 0
    for number in range(count):
        if number % 20 == 0:
            p.forget()
        runner = subprocess.Popen(["ctest", "-j2", "-L", "^morph$", "--timeout", TIME_LIMIT], cwd=p.build_dir, start_new_session=True,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0.1, 2.5))
        kill_one(p, runner)
        if random.random() < 0.5:
            kill_one(p, runner)
            try:
                os.killpg(runner.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        runner.wait()
        p.plan()
        rows = p.rows()
        compared += len(rows)
        for name in rows:
            if rows[name] != reference[name]:
                differ += 1
                print("differs:", name, file=sys.stderr)
        learned = p.build_dir / ".morph" / "learned.db"
        if learned.exists():
            unsound += quiet(p.morph, "store", "verify", "--store", str(learned)).returncode != 0
    for _ in range(3):
        p.ctest("-L", "^morph$")
    lacking = len(reference) - len(p.rows()) + len(p.selected())
    return {"kills": count, "rows_compared": compared, "rows_differ": differ, "unsound": unsound, "lacking_at_the_end": lacking}


def main():
    morph, source, program, seconds, number = sys.argv[1:]
    random.seed(7)
    p = Project(morph, source, program)
    print(json.dumps({**cost(p), **walk(p, float(seconds)), **kills(p, int(number))}))


main()
