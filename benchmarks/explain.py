# Undetected extreme transformations of one subject of `./dev bench explain`; then what that means over all subjects.
# explain.py explain --subject NAME --morph FILE --source DIR --build DIR --most N --runs N --raw FILE --log FILE [--only GLOB...] [--sample N] [--fix]
# explain.py summary --json FILE RAW...
import argparse
import collections
import json
import re
import resource
import statistics
import subprocess

SYMPTOMS = ['no-infection', 'no-propagation', 'weak-oracle']
KILLED = ('killed', 'crashed', 'timed out')
# Vera-Perez et al., "Suggestions on Test Suite Improvements with Automatic Infection and Propagation Analysis".
PAPER = {'infected': 63, 'in_result': 84, 'seen_by_tests': 42}

options = argparse.ArgumentParser()
tasks = options.add_subparsers(dest='task', required=True)
explain_options = tasks.add_parser('explain')
for name in ('subject', 'morph', 'source', 'build', 'most', 'runs', 'raw', 'log'):
    explain_options.add_argument('--' + name, required=True)
explain_options.add_argument('--only', action='append', default=[])
explain_options.add_argument('--sample')
explain_options.add_argument('--fix', action='store_true')
summary_options = tasks.add_parser('summary')
summary_options.add_argument('--json', required=True)
summary_options.add_argument('raw', nargs='+')
asked = options.parse_args()


def children_cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def share(part, whole):
    return 100 * part / whole if whole else 0


# ---- explaining


def run(command, **others):
    """What it prints, and its CPU seconds."""
    before = children_cpu()
    with open(asked.log, 'a') as log:
        log.write(' '.join(command) + '\n')
        log.flush()
        ended = subprocess.run(command, cwd=asked.source, stdout=subprocess.PIPE, stderr=log, text=True, errors='replace', **others)
    return ended, round(children_cpu() - before, 1)


def morph(command, *arguments):
    ended, cpu = run([asked.morph, command, '--build', asked.build, '-q', '-j1', *arguments])
    if ended.returncode > 1:
        raise SystemExit(f'{asked.subject}: morph {command} ended with {ended.returncode}, see {asked.log}')
    return ended.stdout, cpu


def mutate(*arguments):
    chosen = [f'--only={each}' for each in asked.only] + ([f'--sample={asked.sample}'] if asked.sample else [])
    printed, cpu = morph('mutate', '--operators', 'xt', '--json', *chosen, *arguments)
    return json.loads(printed), cpu


def key_of(mutant):
    return mutant['file'], mutant['line'], mutant['column'], mutant['replacement']


def seen_in(each):
    """Where calls ended otherwise."""
    properties = [one['property'] for one in each['differences'] if one['level'] == 'call']
    return sorted({re.match(r'\w+', one).group() if re.match(r'\w+', one) else one for one in properties})


def row_of(mutant, each):
    row = {'row': 'mutant', 'subject': asked.subject, 'file': mutant['file'], 'line': mutant['line'], 'column': mutant['column'],
           'replacement': mutant['replacement'], 'covering': mutant['covering'], 'covering_cpu': mutant['cpu_us'] / 1e6, 'symptom': None}
    if each is None:
        return row
    return row | {'mutant': each['id'], 'function': each['change']['function'], 'symptom': each['symptom'], 'tests': len(each['tests']),
                  'calls': sum(one['calls'] for one in each['tests']), 'differences': len(each['differences']) + each['left_out'],
                  'seen_in': seen_in(each), 'suggests': bool(each['suggestion']['lines']), 'remedy': each['suggestion']['remedy'],
                  'not_read': each['not_read']}


def explain():
    open(asked.log, 'w').close()
    judged, cpu_mutate = mutate('--fresh')
    survivors = {key_of(each): each for each in judged['mutants'] if each['state'] == 'survived'}
    subject = {'row': 'subject', 'subject': asked.subject, 'runs': int(asked.runs), 'tests': judged['tests'], 'states': collections.Counter(each['state'] for each in judged['mutants']),
               'undetected': len(survivors), 'explained': 0, 'cpu': {'mutate': cpu_mutate}, 'only': asked.only, 'sample': asked.sample}
    rows = {key: row_of(each, None) for key, each in survivors.items()}
    if survivors:
        printed, subject['cpu']['explain'] = morph('explain', '--most', asked.most, '--runs', asked.runs, '--json')
        told = json.loads(printed)
        subject['notes'] = told['notes']
        for each in told['mutants']:
            rows[key_of(each['change'])] = row_of(survivors[key_of(each['change'])], each)
        subject['explained'] = len(told['mutants'])
        if asked.fix:
            for row in rows.values():
                row['killed_by_fix'] = False
            subject['fix'] = fix(judged, rows, subject['cpu'])
    with open(asked.raw, 'w') as raw:
        for each in [*rows.values(), subject]:
            raw.write(json.dumps(each) + '\n')
    by = collections.Counter(each['symptom'] or 'not observed' for each in rows.values())
    print(f"{asked.subject}: {len(survivors)} undetected; " + ', '.join(f'{count} {name}' for name, count in by.items()) + f"; CPU seconds: {subject['cpu']}", flush=True)


def usable_tests(judged):
    return {each['name'] for each in judged['by_test'] if not each['left_out']}


def fix(judged, rows, cpu):
    """Applies the patch and judges again: 20 runs of each test without mutants come first."""
    printed, cpu['fix'] = morph('explain', '--most', asked.most, '--runs', asked.runs, '--fix')
    at = re.search(r'^diff --git ', printed, re.MULTILINE)
    if at is None:
        return {'hunks': [], 'assertions': 0, 'tests': 0, 'killed': {}, 'failing': []}
    applied, _ = run(['git', 'apply', '--index', '-'], input=printed[at.start():])
    if applied.returncode != 0:
        raise SystemExit(f'{asked.subject}: the patch does not apply, see {asked.log}')
    added, _ = run(['git', 'diff', '--cached', '-U0'])
    hunks = [int(each or 1) for each in re.findall(r'^@@ -\S+ \+\d+(?:,(\d+))? @@', added.stdout, re.MULTILINE)]
    built, _ = run(['cmake', '--build', asked.build])
    if built.returncode != 0:
        run(['git', 'reset', '-q', '--hard'])
        raise SystemExit(f'{asked.subject}: with the patch it does not build, see {asked.log}')
    again, cpu['judge_fixes'] = mutate('--fresh', '--unmutated-runs', '20')
    run(['git', 'reset', '-q', '--hard'])
    dead = {key_of(each) for each in again['mutants'] if each['state'] in KILLED}
    for key, row in rows.items():
        row['killed_by_fix'] = key in dead
    return {'hunks': hunks, 'assertions': added.stdout.count('observed, not known to be right'), 'tests': added.stdout.count('\n+// fails with '),
            'killed': collections.Counter(row['symptom'] for row in rows.values() if row['killed_by_fix']),
            'failing': sorted(usable_tests(judged) - usable_tests(again))}


# ---- judging


def figures_of(rows):
    explained = [each for each in rows if each['symptom']]
    infected = [each for each in explained if each['symptom'] != 'no-infection']
    read = [each for each in infected if each['seen_in']]
    made = {'undetected': len(rows), 'explained': len(explained), 'suggests': sum(each['suggests'] for each in explained),
            'symptoms': {name: sum(each['symptom'] == name for each in explained) for name in SYMPTOMS},
            'infected_pct': share(len(infected), len(explained)), 'in_result_pct': share(sum('result' in each['seen_in'] for each in read), len(read)),
            'seen_by_tests_pct': share(sum(each['symptom'] == 'weak-oracle' for each in explained), len(explained)),
            'remedies': collections.Counter(each['remedy'] for each in explained), 'covering_cpu': round(sum(each['covering_cpu'] for each in explained), 1)}
    if any('killed_by_fix' in each for each in rows):
        tried = [each for each in explained if 'killed_by_fix' in each]
        made['fixed'] = {name: [sum(each['killed_by_fix'] for each in tried if each['symptom'] == name), sum(each['symptom'] == name for each in tried)]
                         for name in SYMPTOMS}
    return made


def summary():
    rows = [json.loads(line) for path in asked.raw for line in open(path)]
    mutants = [each for each in rows if each['row'] == 'mutant']
    subjects = [each for each in rows if each['row'] == 'subject']
    print(f"{'subject':<20}{'tests':>7}{'undetected':>12}{'explained':>11}{'no inf.':>9}{'no prop.':>10}{'weak':>6}{'suggests':>10}{'CPU mutate':>12}{'explain':>9}{'a mutant':>10}{'of its tests':>14}")
    by_subject = {}
    for each in subjects:
        one = by_subject[each['subject']] = figures_of([row for row in mutants if row['subject'] == each['subject']]) | {
            'tests': each['tests'], 'cpu': each['cpu'], 'fix': each.get('fix')}
        symptoms, cpu = one['symptoms'], each['cpu']
        print(f"{each['subject']:<20}{each['tests']:>7}{one['undetected']:>12}{one['explained']:>11}{symptoms['no-infection']:>9}{symptoms['no-propagation']:>10}"
              f"{symptoms['weak-oracle']:>6}{one['suggests']:>10}{cpu['mutate']:>12.0f}{cpu.get('explain', 0):>9.0f}{cpu.get('explain', 0) / max(1, one['explained']):>10.1f}"
              f"{one['covering_cpu'] * (each['runs'] + 3) / max(1, one['explained']):>14.2f}")
    all_of = figures_of(mutants)
    print(f"\nof {all_of['undetected']} undetected extreme transformations {all_of['explained']} explained, {all_of['suggests']} with a suggestion: "
          + ', '.join(f'{count} {name}' for name, count in all_of['remedies'].items()))
    print(f"{'':<34}{'here':>8}{'paper':>8}")
    for name, text in (('infected', 'infected'), ('in_result', 'of these, in the result'), ('seen_by_tests', 'seen by a test')):
        print(f"{text:<34}{all_of[name + '_pct']:>7.1f}%{PAPER[name]:>7}%")
    fixes = [each['fix'] for each in subjects if each.get('fix')]
    if fixes:
        hunks = [lines for each in fixes for lines in each['hunks']]
        all_of['fix'] = {'patches': len(hunks), 'median_lines': statistics.median(hunks) if hunks else None, 'assertions': sum(each['assertions'] for each in fixes),
                         'failing': [name for each in fixes for name in each['failing']]}
        print('with --fix killed: ' + ', '.join(f'{killed} of {count} {name}' for name, (killed, count) in all_of['fixed'].items())
              + f"; {all_of['fix']['patches']} places, {all_of['fix']['median_lines']} lines in the median; tests that fail in 20 runs: {len(all_of['fix']['failing'])}")
    with open(asked.json, 'w') as to:
        json.dump({'all': all_of, 'by_subject': by_subject}, to)


explain() if asked.task == 'explain' else summary()
