# Findings of `morph generate` in some sources of one subject of `./dev bench findings`; then some likely faults of all subjects, to be read.
# findings.py find --subject NAME --morph FILE --source DIR --build DIR --units N --budget SECONDS --seed N --raw FILE --log FILE
# findings.py draw --draw N --seed N --json FILE RAW...
import argparse
import collections
import json
import os
import random
import re
import subprocess

options = argparse.ArgumentParser()
tasks = options.add_subparsers(dest='task', required=True)
find_options = tasks.add_parser('find')
for name in ('subject', 'morph', 'source', 'build', 'raw', 'log', 'budget'):
    find_options.add_argument('--' + name, required=True)
find_options.add_argument('--units', type=int, required=True)
find_options.add_argument('--seed', type=int, required=True)
draw_options = tasks.add_parser('draw')
draw_options.add_argument('--draw', type=int, required=True)
draw_options.add_argument('--seed', type=int, required=True)
draw_options.add_argument('--json', required=True)
draw_options.add_argument('raw', nargs='+')
asked = options.parse_args()

LIKELY_FAULT = 'likely fault'


def sources():
    """Those of the build that are no tests and no programs, in the order of the seed."""
    with open(os.path.join(asked.build, 'compile_commands.json')) as file:
        all_of = {os.path.relpath(os.path.join(each['directory'], each['file']), asked.source) for each in json.load(file)}
    found = sorted(each for each in all_of if not re.search(r'^\.\.|^build|test|bench|example|fuzz|third|extern|util/|tools?/|main\.', each))
    random.Random(asked.seed).shuffle(found)
    return found


def search(unit):
    with open(asked.log, 'a') as log:
        ended = subprocess.run([asked.morph, 'generate', '--build', asked.build, '--unit', unit, '--budget', asked.budget, '--seed', str(asked.seed),
                                '--without-tests', '--json', '-q'], cwd=asked.source, stdout=subprocess.PIPE, stderr=log, text=True, errors='replace')
    try:
        return json.loads(ended.stdout)
    except json.JSONDecodeError:
        return {'error': f'exit status {ended.returncode}'}


def find():
    open(asked.log, 'w').close()
    done = 0
    with open(asked.raw, 'w') as raw:
        for unit in sources():
            made = search(unit)
            row = {'row': 'unit', 'subject': asked.subject, 'unit': unit}
            if 'findings' not in made:
                raw.write(json.dumps(row | {'error': made.get('error')}) + '\n')
                continue
            raw.write(json.dumps(row | {'sequences': made['sequences']}) + '\n')
            for each in made['findings']:
                raw.write(json.dumps(row | {'row': 'finding'} | {key: each[key] for key in ('callable', 'what', 'class', 'why', 'file', 'line', 'test')}) + '\n')
            raw.flush()
            count = collections.Counter(each['class'] for each in made['findings'])
            print(f"{asked.subject}: {unit}: " + (', '.join(f'{n} {name}' for name, n in count.items()) or 'no findings'), flush=True)
            done += 1
            if done == asked.units:
                break


def draw():
    rows = [json.loads(line) for path in asked.raw for line in open(path)]
    findings = [each for each in rows if each['row'] == 'finding']
    faults = {}  # one for each function: others there are likely the same
    for each in findings:
        if each['class'] == LIKELY_FAULT:
            faults.setdefault((each['subject'], each['callable'], each['what']), each)
    drawn = random.Random(asked.seed).sample(sorted(faults.values(), key=lambda each: (each['subject'], each['unit'], each['callable'])), min(asked.draw, len(faults)))
    for number, each in enumerate(drawn, 1):
        print(f"\n{number}. {each['subject']}: {each['callable']}: {each['what']}\n{each['file']}:{each['line']}\n{each['test']}")
    units = [each for each in rows if each['row'] == 'unit' and 'sequences' in each]
    figures = {'units': len(units), 'without_search': sum(each['row'] == 'unit' and 'sequences' not in each for each in rows), 'findings': len(findings),
               'likely_misuse': sum(each['class'] != LIKELY_FAULT for each in findings), 'likely_faults': len(faults), 'drawn': len(drawn),
               'misuse': collections.Counter(each['why'] for each in findings if each['class'] != LIKELY_FAULT).most_common()}
    print(f"\n{figures['findings']} findings in {figures['units']} sources: {figures['likely_misuse']} likely misuse; {figures['likely_faults']} functions with likely faults")
    with open(asked.json, 'w') as to:
        json.dump(figures, to)


find() if asked.task == 'find' else draw()
