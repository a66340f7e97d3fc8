# Mutants of the callees of `./dev bench pairs`: which ones tests of a pair kill, and which ones unit tests of its classes.
# pairs_mutants.py --subject NAME --morph FILE --source DIR --library TARGET --pairs N --sequences N --seed N --raw FILE --folder DIR [--configure OPTION]...
# Of each of the first N pairs of the raw rows, morph writes tests of the pair, of the caller and of the callee. A copy of the subject gets
# a program of all three; one run of `morph mutate --all-killers` judges the mutants in the callee's functions.
import argparse
import glob
import json
import os
import re
import shutil
import subprocess

options = argparse.ArgumentParser()
for name in ('subject', 'morph', 'source', 'library', 'raw', 'folder'):
    options.add_argument('--' + name, required=True)
for name in ('pairs', 'sequences', 'seed'):
    options.add_argument('--' + name, type=int, required=True)
options.add_argument('--configure', action='append', default=[])
asked = options.parse_args()

KILLED = ('killed', 'crashed', 'timed out')
os.makedirs(asked.folder, exist_ok=True)
log = open(os.path.join(asked.folder, 'log'), 'w')


def generate(what, of):
    """What morph says of the tests, or None."""
    ended = subprocess.run([asked.morph, 'generate', '--build', os.path.join(asked.source, 'build'), what, of, '--sequences', str(asked.sequences),
                            '--seed', str(asked.seed), '--without-tests', '--json', '-q'], stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        made = json.loads(ended.stdout)
    except json.JSONDecodeError:
        return None
    return made if made.get('tests') else None


def run(*arguments):
    subprocess.run(arguments, cwd=copy, check=True, stdout=log, stderr=log)


def without_suites(text):
    """The developers' tests judge nothing here."""
    return re.sub(r'\bmorph_(?:add_suite|adopt_tests)\((?:[^()]|\([^()]*\))*\)', '', text)


def build(sources):
    """A copy of the subject with three suites: PairGenerated, CallerGenerated, CalleeGenerated."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(asked.source, copy, symlinks=True, ignore=shutil.ignore_patterns('build*', '.morph'))
    names = []
    for suite, source in sources.items():
        names.append(f'generated_{suite}.cpp')
        with open(os.path.join(copy, names[-1]), 'w') as to:
            to.write(re.sub(r'\bTEST\(\w+,', f'TEST({suite},', source))
    for path in glob.glob(os.path.join(copy, '**', 'CMakeLists.txt'), recursive=True):
        with open(path) as file:
            text = file.read()
        with open(path, 'w') as to:
            to.write(without_suites(text))
    with open(os.path.join(copy, 'CMakeLists.txt'), 'a') as to:
        to.write(f"\nfind_package(Morph REQUIRED)\nfind_package(GTest REQUIRED)\nadd_executable(found_tests {' '.join(names)})\n"
                 f'target_link_libraries(found_tests {asked.library} GTest::gtest_main)\nmorph_add_suite(found_tests TARGET found_tests FRAMEWORK gtest)\n')
    run('git', 'add', '-A')
    run('git', '-c', 'user.name=bench', '-c', 'user.email=bench@example.invalid', 'commit', '-qm', 'With generated tests')
    run('cmake', '-B', 'build', '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Debug', '-DMORPH_EVIDENCE=twin', *asked.configure)
    run('cmake', '--build', 'build', '--target', 'found_tests')


def mutants_of(files):
    command = [asked.morph, 'mutate', '--build', 'build', '--json', '--all-killers', '-q']
    for each in files:
        command += ['--only', each]
    return json.loads(subprocess.run(command, cwd=copy, check=True, stdout=subprocess.PIPE, stderr=log, text=True).stdout)


copy = os.path.join(asked.folder, 'copy')
with open(asked.raw) as raw:
    pairs = [row for row in map(json.loads, raw) if row['row'] == 'pair' and 'error' not in row][:asked.pairs]
for row in pairs:
    caller, callee = row['candidate']['caller'], row['candidate']['callee']
    made = {'PairGenerated': generate('--pair', row['pair']), 'CallerGenerated': generate('--unit', caller), 'CalleeGenerated': generate('--unit', callee)}
    functions = {(each['callee']['file'], each['callee']['function']) for each in row['coupled']}
    result = {'row': 'mutants', 'subject': asked.subject, 'pair': row['pair'], 'sequences': asked.sequences, 'mutants': 0,
              'tests': {suite: len(each['tests']) if each else 0 for suite, each in made.items()}}
    try:
        build({suite: each['source'] for suite, each in made.items() if each})
        found = mutants_of(sorted({file for file, _ in functions}))
        own = [each for each in found['functions'] if f'{callee}::' in each['name']]
        judged = [each for each in found['mutants'] if each['state'] not in ('equivalent', 'not judged') and
                  any(of['file'] == each['file'] and of['begin'] <= each['begin'] < of['end'] for of in own)]
        kills = {suite: {i for i, each in enumerate(judged) if each['state'] in KILLED and any(suite in test for test in each['killers'])} for suite in made}
        units = kills['CallerGenerated'] | kills['CalleeGenerated']
        result |= {'mutants': len(judged), 'pair_kills': len(kills['PairGenerated']), 'caller_kills': len(kills['CallerGenerated']),
                   'callee_kills': len(kills['CalleeGenerated']), 'unit_kills': len(units), 'only_pair': len(kills['PairGenerated'] - units),
                   'only_units': len(units - kills['PairGenerated'])}
    except (subprocess.CalledProcessError, json.JSONDecodeError) as failure:
        result['error'] = str(failure)[-400:]
    with open(asked.raw, 'a') as raw:
        raw.write(json.dumps(result) + '\n')
    print(f"{asked.subject} {row['pair']}: " + (result.get('error') or f"{result['mutants']} mutants of the callee; pair {result.get('pair_kills')}, units {result.get('unit_kills')}, "
          f"only pair {result.get('only_pair')}"), flush=True)
