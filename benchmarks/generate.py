# One subject of `./dev bench generate`: has morph search tests for each unit, then compiles and runs them beside a gcov build of the library.
# generate.py --subject NAME --morph FILE --build DIR --gcov DIR --counted PATTERN --developers PROGRAM --folder DIR --raw FILE UNIT...
# A line of JSON a unit goes to --raw, then one of the subject; what morph printed, the sources and logs stay in --folder.
import argparse
import collections
import glob
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import time

SHUFFLES = 20
LONGEST_TEST = 20  # seconds
LOG = 4000         # characters of a message that are kept

options = argparse.ArgumentParser()
for name in ('subject', 'morph', 'source', 'build', 'gcov', 'counted', 'developers', 'developers-folder', 'folder', 'raw'):
    options.add_argument('--' + name, required=True)
options.add_argument('--budget', type=float, required=True)
options.add_argument('--seed', type=int, default=1)
options.add_argument('--search', default='dynamosa')
options.add_argument('--without-tests', action='store_true')
options.add_argument('units', nargs='+')
asked = options.parse_args()


def children_cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def plain(unit):
    return re.sub(r'\W+', '_', unit)


def path_of(unit, ending):
    return os.path.join(asked.folder, plain(unit) + ending)


# ---- generating


def generate(unit):
    cpu, begun = children_cpu(), time.monotonic()
    with open(path_of(unit, '.log'), 'w') as log:
        ended = subprocess.run([asked.morph, 'generate', '--build', asked.build, '--unit', unit, '--budget', str(asked.budget),
                                '--seed', str(asked.seed), '--search', asked.search, '--json', '-q'] +
                               ['--without-tests'] * asked.without_tests,
                               stdout=subprocess.PIPE, stderr=log, text=True)
    row = {'row': 'unit', 'subject': asked.subject, 'unit': unit, 'search': asked.search, 'budget': asked.budget, 'seed': asked.seed,
           'exit': ended.returncode, 'seconds': round(time.monotonic() - begun, 1), 'cpu': round(children_cpu() - cpu, 1)}
    try:
        made = json.loads(ended.stdout)
    except json.JSONDecodeError:
        made = {}
    if 'tests' not in made:
        with open(path_of(unit, '.log')) as log:
            row['error'] = made.get('error') or log.read()[-LOG:] or f'no JSON, exit status {ended.returncode}'
        return row, ''
    with open(path_of(unit, '.json'), 'w') as kept:
        kept.write(ended.stdout)
    search = made['cpu_seconds']['search']
    functions = [each for each in made['goals'] if not each['condition']]
    row |= {'branches': made['branches']['all'], 'branches_reached': made['branches']['reached'], 'unseen': made['branches']['unseen'],
            'functions': len(functions), 'functions_entered': sum(each['reached'] for each in functions),
            'callables': made['callables']['all'], 'callables_now': made['callables']['now'],
            'refused': collections.Counter(each['reason'] for each in made['refused']),
            'sequences': made['sequences'], 'unstable': made['unstable'],
            'cpu_build': round(made['cpu_seconds']['build'], 1), 'cpu_search': round(search, 1),
            'sequences_per_cpu_second': round(made['sequences']['all'] / search) if search else None,
            'findings': collections.Counter(each['what'] for each in made['findings']),
            'findings_without_null': sum('nullptr' not in each['test'] for each in made['findings']),
            'finding_rows': [{key: each[key] for key in ('callable', 'what', 'class', 'why', 'file', 'line', 'test')} for each in made['findings']]}
    return row, made['source']


# ---- compiling


def own_flags():
    """The options that the library's sources are compiled with, but those of the output and of warnings."""
    with open(os.path.join(asked.gcov, 'compile_commands.json')) as file:
        commands = json.load(file)
    first = next(each for each in commands if re.search(asked.counted, os.path.relpath(each['file'], asked.source)))
    words = first['command'].split()
    kept, skip = [words[0]], False
    for word in words[1:]:
        if skip or word in ('-o', '-MF', '-MT', '-MQ', '-c', '-MD', '--coverage') or word.startswith('-W') or word == first['file']:
            skip = not skip and word in ('-o', '-MF', '-MT', '-MQ')
            continue
        kept.append(word)
    return kept + ['-w'], first['directory']


def libraries():
    found = glob.glob(os.path.join(asked.gcov, '**', '*.a'), recursive=True)
    return [each for each in found if not re.search('gtest|gmock', each)] + ['-lgtest', '-lgtest_main', '-pthread', '--coverage']


def blocks(source):
    """(first, last) line of each test, from 1."""
    found, first = [], None
    for number, line in enumerate(source.split('\n'), 1):
        if line.startswith('TEST('):
            first = number
        elif line == '}' and first:
            found.append((first, number))
            first = None
    return found


def without(source, chosen):
    lines = source.split('\n')
    for first, last in chosen:
        lines[first - 1:last] = [''] * (last - first + 1)
    return '\n'.join(lines)


def compile_tests(unit, source, row):
    """The program of a unit's tests. A test that the compiler rejects is counted and left out."""
    flags, directory = own_flags()
    file, program = path_of(unit, '.cpp'), path_of(unit, '')
    all_blocks = blocks(source)
    lengths = [last - first - 1 for first, last in all_blocks]
    row |= {'tests': len(lengths), 'lines': lengths, 'median_lines': statistics.median(lengths) if lengths else None,
            'asserting': sum(bool(re.search('EXPECT_|ASSERT_', '\n'.join(source.split('\n')[first:last]))) for first, last in all_blocks)}
    with open(file, 'w') as to:
        to.write(source)
    rejected, messages = set(), []
    for _ in range(6):
        ended = subprocess.run(flags + ['-c', file, '-o', program + '.o'], cwd=directory, stderr=subprocess.PIPE, text=True,
                               env=os.environ | {'LC_ALL': 'C'})
        if ended.returncode == 0:
            break
        errors = re.findall(rf'^{re.escape(file)}:(\d+):\d+:(?: (?:fatal )?error: (.*)|\s+required from here)', ended.stderr, re.M)
        bad = {(each, text) for number, text in errors for each in all_blocks if each[0] <= int(number) <= each[1]}
        said = re.findall(r'error: .*', ended.stderr)
        messages += [f'{source.split(chr(10))[int(number) - 1].strip()}  // {text or said[0]}' for number, text in errors] or [ended.stderr[:LOG]]
        if not bad or {each for each, _ in bad} <= rejected:
            rejected = set(all_blocks)
            break
        rejected |= {each for each, _ in bad}
        with open(file, 'w') as to:
            to.write(without(source, rejected))
    row |= {'compiles': not messages, 'tests_rejected': len(rejected), 'messages': messages[:20]}
    if len(rejected) == len(all_blocks):
        return None
    ended = subprocess.run([flags[0], program + '.o', '-o', program] + libraries(), cwd=directory, stderr=subprocess.PIPE, text=True)
    if ended.returncode != 0:
        row |= {'compiles': False, 'messages': row['messages'] + [ended.stderr[:LOG]]}
        return None
    return program


# ---- running


def start(program, *arguments, seconds=LONGEST_TEST):
    """What each test came to, and how the program ended. Runs in an empty folder."""
    at = os.path.join(asked.folder, 'run')
    shutil.rmtree(at, ignore_errors=True)
    os.makedirs(at)
    report = os.path.join(asked.folder, 'report.json')
    if os.path.exists(report):
        os.remove(report)
    try:
        ended = subprocess.run([program, '--gtest_output=json:' + report, *arguments], cwd=at, timeout=seconds, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        end, said = ended.returncode, ended.stdout.decode(errors='replace')
    except subprocess.TimeoutExpired:
        return {}, 'timeout', ''
    try:
        with open(report, encoding='utf-8', errors='replace') as file:
            suites = json.load(file)['testsuites']
    except (OSError, json.JSONDecodeError):
        return {}, end, said
    return {f"{suite['name']}.{test['name']}": 'failed' if 'failures' in test else 'passed'
            for suite in suites for test in suite['testsuite'] if test['status'] == 'RUN'}, end, said


def names_of(program):
    listed = subprocess.run([program, '--gtest_list_tests'], stdout=subprocess.PIPE, text=True).stdout
    suite, names = '', []
    for line in listed.splitlines():
        if line.startswith('  '):
            names.append(suite + line.split()[0])
        elif re.match(r'\w+\.$', line):
            suite = line
    return names


def judge(program, row):
    """The tests that pass: alone, and in each of the shuffled runs."""
    failing, passing = {}, []
    for name in names_of(program):
        came_to, end, said = start(program, '--gtest_filter=' + name)
        if came_to.get(name) == 'passed':
            passing.append(name)
        else:
            failing[name] = f'{end}: ' + said[said.find(name):][:LOG] if came_to else f'crashed: {end}'
    flaky, broken = collections.Counter(), []
    for seed in range(1, SHUFFLES + 1) if passing else []:
        came_to, end, said = start(program, '--gtest_filter=' + ':'.join(passing), '--gtest_shuffle', f'--gtest_random_seed={seed}',
                                   seconds=LONGEST_TEST * 3)
        if not came_to:
            last = re.findall(r'\[ RUN      \] (\S+)', said)
            broken.append({'seed': seed, 'end': end, 'in': last[-1] if last else None})
            flaky[last[-1] if last else 'the whole program'] += 1
        flaky.update(name for name, result in came_to.items() if result != 'passed')
    row |= {'fail_at_once': len(failing), 'failing': failing, 'flaky': len(flaky), 'flaky_tests': flaky, 'broken_runs': broken}
    return [name for name in passing if name not in flaky]


# ---- counting


def forget_counts():
    for each in glob.glob(os.path.join(asked.gcov, '**', '*.gcda'), recursive=True):
        os.remove(each)


def counted(name):
    """Which lines and branches the library has, and which of them ran."""
    report = os.path.join(asked.folder, name + '.coverage.json')
    subprocess.run(['gcovr', '--root', asked.source, '--filter', asked.counted, '--json', '--output', report, asked.gcov],
                   cwd=asked.source, check=True, stdout=subprocess.DEVNULL)
    with open(report) as file:
        files = json.load(file)['files']
    found = {'lines': set(), 'ran': set(), 'branches': set(), 'taken': set(), 'throws': set()}
    for each in files:
        for line in each['lines']:
            at = each['file'], line['line_number']
            found['throws'] |= {at + (i,) for i, branch in enumerate(line['branches']) if branch['throw']}
            found['branches'] |= {at + (i,) for i in range(len(line['branches']))}
            found['taken'] |= {at + (i,) for i, branch in enumerate(line['branches']) if branch['count']}
            if not line.get('gcovr/noncode'):
                found['lines'].add(at)
            if line['count']:
                found['ran'].add(at)
    return found


def shares(of, everything):
    """Of what ran in no report gcov says neither that it is no code nor that a branch is an exception's: one whole for all."""
    throws = set.union(*(each['throws'] for each in everything))
    lines = set.union(*(each['lines'] for each in everything))
    branches = set.union(*(each['branches'] for each in everything)) - throws
    return {'lines': len(lines), 'lines_ran': len(of['ran'] & lines), 'branches': len(branches), 'branches_taken': len(of['taken'] & branches),
            'lines_pct': round(100 * len(of['ran'] & lines) / len(lines), 1),
            'branches_pct': round(100 * len(of['taken'] & branches) / len(branches), 1)}


def run_generated(kept):
    for program, names in kept:
        start(program, '--gtest_filter=' + ':'.join(names), seconds=LONGEST_TEST * 3)


def run_developers():
    subprocess.run([asked.developers], cwd=asked.developers_folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main():
    os.makedirs(asked.folder, exist_ok=True)
    kept, rows = [], []
    cpu, begun = children_cpu(), time.monotonic()
    for unit in asked.units:
        row, source = generate(unit)
        program = compile_tests(unit, source, row) if source else None
        passing = judge(program, row) if program else []
        row['passing'] = len(passing)
        if passing:
            forget_counts()
            run_generated([(program, passing)])
            found = counted(plain(unit))
            row['gcov'] = {'lines_ran': len(found['ran'] & found['lines']), 'branches_taken': len(found['taken'] - found['throws'])}
            kept.append((program, passing))
        rows.append(row)
        with open(asked.raw, 'a') as raw:
            raw.write(json.dumps(row) + '\n')
        print(f"{asked.subject} {unit}: " + (row.get('error', '').strip() or
              f"{row['branches_reached']} of {row['branches']} branches; {row.get('tests', 0)} tests, {row.get('tests_rejected', 0)} rejected, "
              f"{row.get('fail_at_once', 0)} fail, {row.get('flaky', 0)} flaky; {sum(row['findings'].values())} findings; {row['seconds']} s"), flush=True)
    seconds = time.monotonic() - begun
    forget_counts()
    run_generated(kept)
    generated = counted('generated')
    run_developers()
    both = counted('both')
    forget_counts()
    run_developers()
    developers = counted('developers')
    everything = [generated, both, developers]
    made = [row for row in rows if 'error' not in row]

    def total(key):
        return sum(row.get(key) or 0 for row in made)
    lengths = [length for row in made for length in row.get('lines', [])]
    searched = total('cpu_search')
    whole = {'row': 'subject', 'subject': asked.subject, 'search': asked.search, 'budget': asked.budget, 'seed': asked.seed, 'units': len(rows),
             **{name: shares(of, everything) for name, of in (('generated', generated), ('developers', developers), ('both', both))},
             'errors': len(rows) - len(made), 'uncompilable': sum(not row.get('compiles', True) for row in made),
             'tests': total('tests'), 'asserting': total('asserting'), 'tests_rejected': total('tests_rejected'), 'fail_at_once': total('fail_at_once'), 'flaky': total('flaky'),
             'passing': total('passing'), 'median_lines': statistics.median(lengths) if lengths else None,
             'branches': total('branches'), 'branches_reached': total('branches_reached'),
             'callables_pct': round(100 * total('callables_now') / max(1, total('callables')), 1),
             'sequences_per_cpu_second': round(sum(row['sequences']['all'] for row in made) / searched) if searched else None,
             'findings': sum((collections.Counter(row['findings']) for row in made), collections.Counter()),
             'findings_without_null': total('findings_without_null'),
             'seconds': round(seconds, 1), 'cpu': round(children_cpu() - cpu, 1), 'cpu_build': round(total('cpu_build'), 1), 'cpu_search': round(searched, 1)}
    with open(asked.raw, 'a') as raw:
        raw.write(json.dumps(whole) + '\n')


main()
