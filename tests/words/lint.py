#!/usr/bin/env python3
"""Checks how Markdown files read: forbidden words, long sentences, long lines.

Usage: python3 tests/words/lint.py [FILE...]     without FILE: every Markdown file that git tracks

Prints `file:line: rule: what to do` for each finding. Exit code 0: none, 1: findings, 2: usage.

Rules:
  word      a phrase of forbidden.txt, as whole words, outside of code
  sentence  more than 30 words, outside of code, tables and headings; a span of code counts as one word
  column    a line of more than 140 characters, outside of blocks of code
  stale     a line of not_yet.txt whose file obeys the rule

not_yet.txt lists files that do not obey yet, one per line, `path: rule rule`; without rules, all of them.
"""
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MAX_WORDS = 30
MAX_COLUMNS = 140
RULES = ("word", "sentence", "column")
# A full stop behind these ends no sentence.
ABBREVIATIONS = ("e.g.", "i.e.", "al.", "vs.", "cf.", "No.")


class usage_error(Exception):
    pass


def entries(text):
    """The lines of a list with their numbers, without comments and blank lines."""
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if line and not line.startswith("#"):
            yield number, line


def read_forbidden(text):
    """Pairs of a compiled phrase and the advice. Raises usage_error with the line that has no advice."""
    rules = []
    for number, line in entries(text):
        phrase, arrow, advice = line.partition("->")
        if not arrow or not phrase.strip() or not advice.strip():
            raise usage_error(f"forbidden.txt:{number}: '{line}' is not `phrase -> what to write`")
        words = r"\s+".join(re.escape(word) for word in phrase.split())
        rules.append((re.compile(r"(?<![\w-])" + words + r"(?![\w-])", re.IGNORECASE), advice.strip()))
    return rules


def read_not_yet(text):
    """By path: the number of the line, and the rules that the file need not obey."""
    allowed = {}
    for number, line in entries(text):
        path, _, rules = line.partition(":")
        chosen = tuple(rules.split()) or RULES
        unknown = [rule for rule in chosen if rule not in RULES]
        if unknown:
            raise usage_error(f"not_yet.txt:{number}: there is no rule '{unknown[0]}'; rules are {', '.join(RULES)}")
        allowed[path.strip()] = (number, chosen)
    return allowed


def without_code(text):
    """The text with blocks of code, comments and links' targets blanked; line numbers stay. A span of code becomes `X`."""
    lines, fence = [], None
    for line in text.splitlines():
        mark = re.match(r"\s*(?:>\s*)?(```+|~~~+)", line)
        if fence is None and mark:
            fence = mark.group(1)
            lines.append("\0")
        elif fence is not None:
            if mark and mark.group(1).startswith(fence) and line.strip() == mark.group(1):
                fence = None
            lines.append("\0")
        else:
            lines.append(line)

    def same_lines(match, replacement):
        return replacement + "\n" * match.group(0).count("\n")

    text = "\n".join(lines)
    text = re.sub(r"<!--.*?-->", lambda match: same_lines(match, ""), text, flags=re.DOTALL)
    text = re.sub(r"(`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)\1(?!`)", lambda match: same_lines(match, "X"), text, flags=re.DOTALL)
    text = re.sub(r"\]\([^)\s]*\)", "]", text)
    return re.sub(r"<?https?://\S+", "X", text)


def paragraphs(text):
    """Runs of lines that are one piece of prose: pairs of the first line's number and the lines."""
    block, begin = [], 0
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        is_break = bare in ("", "\0") or bare.startswith(("|", "#"))
        is_item = re.match(r"\s*(?:[-*+]|\d+[.)])\s+", line)
        if block and (is_break or is_item):
            yield begin, block
            block = []
        if not is_break:
            if not block:
                begin = number
            block.append(re.sub(r"^\s*(?:>\s*)?(?:[-*+]|\d+[.)])?\s+", "", line) if is_item else line)
    if block:
        yield begin, block


def sentences(begin, block):
    """Pairs of the line in which a sentence begins and its words."""
    number, words = begin, []
    tokens = [(begin + offset, token) for offset, line in enumerate(block) for token in line.split()]
    for line, token in tokens:
        if not words:
            number = line
        if re.search(r"\w", token):
            words.append(token)
        # Names in lower case (ctest, git) may begin a sentence: only the list of abbreviations says what ends none.
        if words and re.search(r"[.!?][)\]\"'*_]*$", token) and token.strip("(*_") not in ABBREVIATIONS:
            yield number, words
            words = []
    if words:
        yield number, words


def findings(text, forbidden):
    """Triples of line, rule and advice, by line."""
    found = []
    prose = without_code(text)
    for pattern, advice in forbidden:
        for match in pattern.finditer(prose):
            line = prose.count("\n", 0, match.start()) + 1
            found.append((line, "word", f"'{' '.join(match.group(0).split())}': {advice}"))
    for begin, block in paragraphs(prose):
        for line, words in sentences(begin, block):
            if len(words) > MAX_WORDS:
                start = " ".join(words[:6])
                found.append((line, "sentence", f"'{start} ...' has {len(words)} words; make sentences of at most 25"))
    raw, checked = text.splitlines(), prose.split("\n")
    for number, line in enumerate(raw, 1):
        if len(line) > MAX_COLUMNS and checked[number - 1] != "\0":
            found.append((number, "column", f"{len(line)} columns; break the line or split the table at {MAX_COLUMNS}"))
    return sorted(found)


def check(name, text, forbidden, not_yet):
    """Lines to print about one file; `name` is its path from the top of the repository."""
    number, allowed = not_yet.get(name, (0, ()))
    found = findings(text, forbidden)
    said = [f"{name}:{line}: {rule}: {advice}" for line, rule, advice in found if rule not in allowed]
    broken = {rule for _, rule, _ in found}
    said += [f"tests/words/not_yet.txt:{number}: stale: '{name}' obeys the rule '{rule}'; remove it from the line"
             for rule in allowed if rule not in broken]
    return said


def tracked():
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z", "*.md"], capture_output=True, check=False)
    if listed.returncode != 0:
        raise usage_error("git does not list the files here; name them")
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


def name_of(path):
    path = path.resolve()
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.as_posix()


def main(arguments):
    if arguments and arguments[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0
    try:
        if any(argument.startswith("-") for argument in arguments):
            raise usage_error(f"there is no option '{next(a for a in arguments if a.startswith('-'))}'; see --help")
        forbidden = read_forbidden((HERE / "forbidden.txt").read_text(encoding="utf-8"))
        not_yet = read_not_yet((HERE / "not_yet.txt").read_text(encoding="utf-8"))
        files = [Path(argument) for argument in arguments] or tracked()
        missing = [path for path in files if not path.is_file()]
        if missing:
            raise usage_error(f"there is no file '{missing[0]}'")
        said = [line for path in files for line in check(name_of(path), path.read_text(encoding="utf-8"), forbidden, not_yet)]
        if not arguments:
            said += [f"tests/words/not_yet.txt:{number}: stale: there is no file '{name}'; remove the line"
                     for name, (number, _) in not_yet.items() if not (ROOT / name).is_file()]
    except (usage_error, OSError, UnicodeDecodeError) as error:
        print(f"lint.py: {error}", file=sys.stderr)
        return 2
    for line in said:
        print(line)
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
