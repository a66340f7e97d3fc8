# Mutation scores of a subject of `./dev bench generate`: the developers' tests alone, the generated ones alone, and both.
# generate_mutants.py --subject NAME --morph FILE --source DIR --library TARGET --folder DIR --raw FILE --only GLOB... [--sample N] SOURCE...
# A copy of the subject gets a program of the generated SOURCEs. One run of `morph mutate --all-killers` judges every mutant by every test.
import argparse
import json
import os
import shutil
import subprocess

options = argparse.ArgumentParser()
for name in ('subject', 'morph', 'source', 'library', 'folder', 'raw'):
    options.add_argument('--' + name, required=True)
options.add_argument('--only', action='append', required=True)
options.add_argument('--sample', type=int)
options.add_argument('--configure', action='append', default=[])
options.add_argument('sources', nargs='+')
asked = options.parse_args()

KILLED = ('killed', 'crashed', 'timed out')
copy = os.path.join(asked.folder, 'mutants')


def run(*arguments, **others):
    subprocess.run(arguments, cwd=copy, check=True, **others)


shutil.rmtree(copy, ignore_errors=True)
shutil.copytree(asked.source, copy, symlinks=True, ignore=shutil.ignore_patterns('build*', '.morph'))
names = []
for source in asked.sources:
    names.append('generated_' + os.path.basename(source))
    shutil.copy(source, os.path.join(copy, names[-1]))
with open(os.path.join(copy, 'CMakeLists.txt')) as file:
    text = file.read()
with open(os.path.join(copy, 'CMakeLists.txt'), 'w') as to:
    # Of mutants the exit status judges.
    to.write(text.replace(' PROPERTIES PASS_REGULAR_EXPRESSION ", Fail 0"', '') + f"\nfind_package(Morph REQUIRED)\nfind_package(GTest REQUIRED)\nadd_executable(found_tests {' '.join(names)})\n"
             # Of headers that stand beside the sources.
             f'target_include_directories(found_tests PRIVATE src)\ntarget_link_libraries(found_tests {asked.library} GTest::gtest_main)\n'
             'morph_add_suite(found_tests TARGET found_tests FRAMEWORK gtest)\n')
run('git', 'add', '-A')
run('git', '-c', 'user.name=bench', '-c', 'user.email=bench@example.invalid', 'commit', '-qm', 'With generated tests')
log = open(os.path.join(asked.folder, 'mutants.log'), 'w')
run('cmake', '-B', 'build', '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Debug', '-DMORPH_EVIDENCE=twin', *asked.configure, stdout=log, stderr=log)
run('cmake', '--build', 'build', stdout=log, stderr=log)
command = [asked.morph, 'mutate', '--build', 'build', '--json', '--all-killers', '-q']
for glob in asked.only:
    command += ['--only', glob]
if asked.sample:
    command += ['--sample', str(asked.sample)]
made = json.loads(subprocess.run(command, cwd=copy, check=True, stdout=subprocess.PIPE, stderr=log, text=True).stdout)
judged = [each for each in made['mutants'] if each['state'] not in ('equivalent', 'not judged')]
killed = [each for each in judged if each['state'] in KILLED]
own = [each for each in killed if any('Generated.' in test for test in each['killers'])]
developers = [each for each in killed if any('Generated.' not in test for test in each['killers'])]
row = {'row': 'mutants', 'subject': asked.subject, 'mutants': len(judged), 'sample': asked.sample, 'generated_tests': sum('Generated.' in each['name'] for each in made['by_test']),
       'developers': len(developers), 'generated': len(own), 'both': len(killed), 'cpu_judge': made['cpu_seconds']['judge']}
row |= {name + '_pct': round(100 * row[name] / max(1, len(judged)), 1) for name in ('developers', 'generated', 'both')}
with open(asked.raw, 'a') as raw:
    raw.write(json.dumps(row) + '\n')
print(f"{asked.subject}: of {row['mutants']} mutants the developers' tests kill {row['developers_pct']} %, the generated ones {row['generated_pct']} %, "
      f"both {row['both_pct']} %")
