# Compares the #include lines of all rooms with floors.txt: floors.py ROOT. Exit status 1: a line that is not there.
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
allowed = {}
findings = []
for line in (root / "tests/floors.txt").read_text().splitlines():
    if ":" in line and not line.startswith("#"):
        room, _, others = line.partition(":")
        findings += [f"tests/floors.txt: {room} may use {other}, which does not stand above it" for other in others.split()
                     if other not in allowed and other != "*"]
        allowed[room] = others.split()


def room_of(file):
    """The nearest folder above it that the table names."""
    return next((str(folder) for folder in pathlib.PurePath(file).parents if str(folder) in allowed), None)


for room in allowed:
    if not (root / room).is_dir():
        findings.append(f"tests/floors.txt: there is no folder {room}")
for part in ("optimizer", "coverage", "plugin"):
    for file in sorted((root / part).rglob("*")):
        if file.suffix not in (".cpp", ".hpp", ".h"):
            continue
        name = str(file.relative_to(root))
        room = room_of(name)
        if room is None:
            findings.append(f"{name}:1: is in no room of tests/floors.txt")
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            included = re.match(r'\s*#\s*include\s+"([^"]+/[^"]+)"', line)
            if not included:
                continue
            target = room_of(included[1]) or room_of("plugin/include/" + included[1])
            if target is not None and target != room and target not in allowed[room] and "*" not in allowed[room]:
                findings.append(f"{name}:{number}: {room} may not use {target} (tests/floors.txt)")
print("\n".join(findings) or f"{len(allowed)} rooms keep to their floors")
sys.exit(bool(findings))
