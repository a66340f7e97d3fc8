# Faults planted in the production sources of a measured build tree, one at a time, as changes: builds, plans, runs every test.
# mutants.py --build DIR --raw FILE [--mutated PATTERN] [--sample N] [--seed N]: a line of JSON each, appended; those that are there are not done again.
import argparse
import glob
import json
import os
import random
import re
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

SWAPPED = {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==', '&&': '||', '||': '&&',
           '+': '-', '-': '+', '*': '/', '/': '*', '++': '--', '--': '++', '+=': '-=', '-=': '+=', 'true': 'false', 'false': 'true'}
KIND = {'<': 'relation', '<=': 'relation', '>': 'relation', '>=': 'relation', '==': 'relation', '!=': 'relation', '&&': 'connective',
        '||': 'connective', 'true': 'constant', 'false': 'constant'}
# A binary operator stands between blanks in code that was formatted; templates, pointers and references do not.
OPERATOR = re.compile(r'(?<= )(<=|>=|==|!=|&&|\|\||\+=|-=|<|>|\+|-|\*|/)(?= )|(\+\+|--)|\b(true|false)\b')
NUMBER = re.compile(r'(?<![\w.\'])(\d{1,9})(?![\w.\'])')
CONDITION = re.compile(r'\b(?:if|while) \(')
STATEMENT = re.compile(r'^\s+[\w.\[\]:]+(->[\w.\[\]]+)*(\(.*\)| [-+|&]?= .*);\s*$')
NOISE = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|//.*|/\*.*?\*/')


def mask(line):
    """Blanks where comments and literals are, so that columns stay."""
    return NOISE.sub(lambda found: ' ' * len(found.group()), line)


def closing(text, start):
    depth = 0
    for at in range(start, len(text)):
        depth += {'(': 1, ')': -1}.get(text[at], 0)
        if depth == 0:
            return at
    return None


def mutants_of_line(line):
    """(kind, column, old, new) for all of one line."""
    code = mask(line)
    if not code.startswith((' ', '\t')) or code.lstrip().startswith(('#', '*', 'template', 'using', 'static_assert', 'case')):
        return
    for found in OPERATOR.finditer(code):
        old = found.group()
        yield KIND.get(old, 'arithmetic'), found.start(), old, SWAPPED[old]
    for found in NUMBER.finditer(code):
        yield 'constant', found.start(), found.group(), str(int(found.group()) + 1)
    for found in CONDITION.finditer(code):
        end = closing(code, found.end() - 1)
        if end is not None:
            inner = line[found.end():end]
            yield 'negation', found.end(), inner, '!(' + inner + ')'
    if STATEMENT.match(code):
        body = line.strip()
        yield 'removal', len(line) - len(line.lstrip()), body, ';'


def mutants(sources, root):
    for path in sources:
        in_comment = False
        with open(path, encoding='utf-8', errors='surrogateescape') as file:
            for number, line in enumerate(file.read().split('\n'), 1):
                if in_comment or line.lstrip().startswith('/*'):
                    in_comment = '*/' not in line
                    continue
                for kind, column, old, new in mutants_of_line(line):
                    yield {'file': os.path.relpath(path, root), 'line': number, 'column': column, 'kind': kind, 'old': old, 'new': new}


def planted(text, mutant):
    lines = text.split('\n')
    line, at = lines[mutant['line'] - 1], mutant['column']
    assert line[at:at + len(mutant['old'])] == mutant['old']
    lines[mutant['line'] - 1] = line[:at] + mutant['new'] + line[at + len(mutant['old']):]
    return '\n'.join(lines)


def lines_in_time(process, limits):
    """What a GoogleTest program prints, until it ends or a test takes more than its limit (seconds; of no test: 60): then it is killed."""
    pending, begun, limit = b'', time.monotonic(), 60
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while begun + limit > time.monotonic() and selector.select(begun + limit - time.monotonic()):
            read = os.read(process.stdout.fileno(), 65536)
            if not read:
                break
            *lines, pending = (pending + read).split(b'\n')
            for line in lines:
                if b'[ RUN      ] ' in line:
                    begun, limit = time.monotonic(), limits.get(line.split(b'] ', 1)[1].strip().decode(errors='replace'), 60)
                yield line.decode(errors='replace')
        else:
            process.kill()
    process.stdout.close()
    process.wait()


class Tree:
    def __init__(self, build, target, mutated):
        self.build, self.target = os.path.realpath(build), target.split()
        with open(os.path.join(self.build, '.morph', 'build.json'), encoding='utf-8') as file:
            description = json.load(file)
        self.suites = description['suites']
        cache = open(os.path.join(self.build, 'CMakeCache.txt'), encoding='utf-8').read()
        self.root = re.search(r'^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$', cache, re.M).group(1)
        production = glob.glob(os.path.join(self.root, mutated), recursive=True) if mutated else [
            s for suite in self.suites for s in suite['production_sources']
            if s.startswith(self.root + '/') and s.endswith(('.c', '.cc', '.cpp', '.cxx'))]
        self.sources = sorted({s for s in production if os.path.isfile(s)})

    def compile(self):
        command = ['cmake', '--build', self.build] + (['--target'] + self.target if self.target else [])
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    def plan(self, morph):
        end = subprocess.run([morph, 'plan', '--json', '--build', self.build], stdout=subprocess.PIPE, check=False)
        return json.loads(end.stdout)

    def failing(self, tests, at_once=True):
        """The tests that fail: those of a GoogleTest program one after the other in one process, and in another one behind each that does not
        come back; the others in processes of their own, which run beside each other. Not at once: each alone, so that none is in another's
        way. In an empty folder for temporary files: what a fault leaves there is not the next one's."""
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
            self.environment = dict(os.environ, TMPDIR=place, TEST_TMPDIR=place)
            return self.failing_there(tests, at_once)

    def failing_there(self, tests, at_once):
        failed = set()
        limits = {t['case']: 5 + 5 * (t['seconds'] or 0) for t in tests}
        for suite in self.suites:
            names = {t['case']: t['name'] for t in tests if t['suite'] == suite['name']}
            found = self.run_at_once(suite, limits) if at_once and suite['framework'] == 'gtest' else None
            if found is None:
                failed |= self.run_in_processes(suite['name'], os.cpu_count() if at_once else 1, max(20, round(max(limits.values(), default=0))))
            else:
                failed |= {names[case] for case in found if case in names}
        return failed

    def run_at_once(self, suite, limits):
        """None if a program does not end as GoogleTest lets it. `limits`: seconds that each test may take. Behind the 20th that takes
        more no other is tried: a fault that hangs most tests shows in them."""
        failed = set()
        environment = dict(self.environment, **dict(e.split('=', 1) for e in suite['environment']))
        for program in suite['programs']:
            begun, stuck, late = [], True, 0
            while stuck and late < 20:
                with tempfile.NamedTemporaryFile('w') as flags:
                    flags.write('--gtest_color=no\n--gtest_filter=*-' + ':'.join(begun) + '\n')
                    flags.flush()
                    process = subprocess.Popen([program['executable'], *suite['extra_args'], '--gtest_flagfile=' + flags.name],
                                               cwd=suite['working_directory'], env=environment, stdout=subprocess.PIPE,
                                               stderr=subprocess.DEVNULL)
                    stuck = False
                    for line in lines_in_time(process, limits):
                        if '[ RUN      ] ' in line:
                            begun.append(line.split('] ', 1)[1].strip())
                            stuck = True
                        elif stuck and any(mark in line for mark in ('[       OK ] ', '[  FAILED  ] ', '[  SKIPPED ] ')):
                            if '[  FAILED  ] ' in line:
                                failed.add(begun[-1])
                            stuck = False
                if stuck:
                    failed.add(begun[-1])
                    late += process.returncode == -signal.SIGKILL
                elif process.returncode not in (0, 1):
                    return None
        return failed

    def run_in_processes(self, label, processes, limit):
        with tempfile.TemporaryDirectory() as place:
            report = os.path.join(place, 'report.xml')
            subprocess.run(['ctest', '--test-dir', self.build, '-L', '^' + re.escape(label) + '$', '-j', str(processes),
                            '--timeout', str(limit), '--output-junit', report], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            # Else the next plan runs what failed here.
            shutil.rmtree(os.path.join(self.build, 'Testing'), ignore_errors=True)
            return {case.get('name') for case in xml.parse(report).iter('testcase') if case.find('failure') is not None}


def seconds_to_failure(tests, failed):
    """Of tests run one after the other, up to the first that fails."""
    total = 0
    for test in tests:
        total += test['seconds'] or 0
        if test['name'] in failed:
            return total
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', required=True)
    parser.add_argument('--target', default='')
    parser.add_argument('--mutated', default='', help='a pattern below the source tree; else the sources of the production code')
    parser.add_argument('--morph', required=True)
    parser.add_argument('--raw', required=True)
    parser.add_argument('--sample', type=int, default=20)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    tree = Tree(options.build, options.target, options.mutated)

    def key(mutant):
        return tuple(mutant[k] for k in ('file', 'line', 'column', 'kind', 'new'))

    if not tree.sources:
        sys.exit('no suite says which sources are production code')
    everything = list(mutants(tree.sources, tree.root))
    sample = random.Random(options.seed).sample(everything, min(options.sample, len(everything)))
    done = set()
    if os.path.exists(options.raw):
        done = {key(json.loads(line)) for line in open(options.raw, encoding='utf-8')}
    # By file, so that no object is built more often than needed.
    sample = sorted((m for m in sample if key(m) not in done), key=key)
    if not sample:
        return
    if not tree.compile():
        sys.exit('the tree does not build')
    always = tree.failing(tree.plan(options.morph)['tests'])
    for mutant in sample:
        path = os.path.join(tree.root, mutant['file'])
        with open(path, encoding='utf-8', errors='surrogateescape', newline='') as file:
            text = file.read()
        try:
            with open(path, 'w', encoding='utf-8', errors='surrogateescape', newline='') as file:
                file.write(planted(text, mutant))
            row = dict(mutant, status='does not compile')
            if tree.compile():
                plan = tree.plan(options.morph)
                selected = {t['name'] for t in plan['tests'] if t['selected']}
                failed = tree.failing(plan['tests']) - always
                if failed - selected:  # perhaps only after other tests of the same process, or beside others
                    failed = tree.failing(plan['tests'], at_once=False) - always
                row.update(status='killed' if failed else 'survived', tests=len(plan['tests']), selected=len(selected),
                           failing=len(failed), missed=sorted(failed - selected), state=plan['state'])
                if failed and not failed - selected:
                    ranked = sorted((t for t in plan['tests'] if t['selected']), key=lambda t: t['rank'])
                    row.update(first=next(i for i, t in enumerate(ranked, 1) if t['name'] in failed),
                               seconds_to_failure=seconds_to_failure(ranked, failed),
                               seconds_to_failure_declared=seconds_to_failure(plan['tests'], failed))
        finally:
            with open(path, 'w', encoding='utf-8', errors='surrogateescape', newline='') as file:
                file.write(text)
        with open(options.raw, 'a', encoding='utf-8') as raw:
            raw.write(json.dumps(row) + '\n')
        print('{file}:{line} {old} -> {new}: {status}'.format(**row),
              '' if 'tests' not in row else '{failing} fail, {selected} of {tests} selected, {n} missed'.format(n=len(row['missed']), **row),
              flush=True)
    tree.compile()


if __name__ == '__main__':
    main()
