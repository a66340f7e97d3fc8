# Faults planted in the code that a program of specs runs, one at a time: how many of them its relations notice.
# spec_faults.py --folder DIR --sources PATTERN --build COMMAND --run COMMAND [--sample N] [--seed N] [--raw FILE]: works on a copy of DIR. Only lines
# that the run covers get faults: {flags} in the build command is --coverage at first, and empty behind that. What fails without a fault is no kill.
import argparse
import glob
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

from mutants import mutants, planted


def run(command, folder, seconds):
    """None: it did not end in time."""
    process = subprocess.Popen(command, shell=True, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        return process.communicate(timeout=seconds)[0], process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.communicate()
        return None


def violated(ended):
    """The relations that are; a word for a run that says nothing of them."""
    if ended is None:
        return {'(no end)'}
    text, status = ended
    try:
        specs = json.loads(text)['specs']
    except (ValueError, KeyError):
        return {'(no report)'}
    if status not in (0, 1):
        return {'(exit %d)' % status}
    return {s['spec'] + '.' + r['name'] for s in specs for r in s.get('relations', ()) if r['fail']} | {s['error'] for s in specs if 'error' in s}


def covered_lines(folder):
    """By file, below the folder."""
    lines = {}
    for notes in glob.glob(os.path.join(folder, '**', '*.gcda'), recursive=True):
        made = subprocess.run(['gcov', '--json-format', '--stdout', notes], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        for document in filter(None, made.stdout.decode().split('\n')):
            for file in json.loads(document)['files']:
                path = os.path.relpath(os.path.join(folder, file['file']), folder)
                lines.setdefault(path, set()).update(line['line_number'] for line in file['lines'] if line['count'])
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--folder', required=True)
    parser.add_argument('--sources', required=True, action='append', help='a pattern below the folder')
    parser.add_argument('--build', required=True)
    parser.add_argument('--run', required=True, help='prints the JSON report')
    parser.add_argument('--sample', type=int, default=0, help='so many faults; 0: all')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--raw', help='a line of JSON for each fault')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = os.path.join(place, 'copy')
        shutil.copytree(options.folder, folder)
        measure(options, folder)


def measure(options, folder):
    if (run(options.build.replace('{flags}', '--coverage'), folder, 600) or ('', 1))[1] != 0:
        sys.exit('it does not build')
    if violated(run(options.run, folder, 600)) & {'(no end)', '(no report)'}:
        sys.exit('it does not run')
    covered = covered_lines(folder)
    build = options.build.replace('{flags}', '')
    run(build, folder, 600)
    before = violated(run(options.run, folder, 600))

    sources = sorted(s for pattern in options.sources for s in glob.glob(os.path.join(folder, pattern), recursive=True))
    everything = [m for m in mutants(sources, folder) if m['line'] in covered.get(m['file'], ())]
    sample = random.Random(options.seed).sample(everything, min(options.sample or len(everything), len(everything)))
    sample.sort(key=lambda m: (m['file'], m['line'], m['column'], m['kind']))
    rows = []
    for mutant in sample:
        path = os.path.join(folder, mutant['file'])
        with open(path, encoding='utf-8', errors='surrogateescape', newline='') as file:
            text = file.read()
        with open(path, 'w', encoding='utf-8', errors='surrogateescape', newline='') as file:
            file.write(planted(text, mutant))
        row = dict(mutant, status='does not compile', by=[])
        if (run(build, folder, 600) or ('', 1))[1] == 0:
            row['by'] = sorted(violated(run(options.run, folder, 30)) - before)
            row['status'] = 'killed' if row['by'] else 'survived'
        with open(path, 'w', encoding='utf-8', errors='surrogateescape', newline='') as file:
            file.write(text)
        rows.append(row)
        print('{file}:{line}:{column} {old} -> {new}: {status} {by}'.format(**row), flush=True)
        if options.raw:
            with open(options.raw, 'a', encoding='utf-8') as raw:
                raw.write(json.dumps(row) + '\n')
    compiled = [r for r in rows if r['status'] != 'does not compile']
    killed = [r for r in compiled if r['by']]
    print('\n%d faults possible in covered lines, %d planted, %d compiled, %d killed (%.1f %%)' % (
        len(everything), len(rows), len(compiled), len(killed), 100 * len(killed) / max(1, len(compiled))))
    if before:
        print('violated without any fault: ' + ', '.join(sorted(before)))
    alone = {}
    for row in killed:
        for name in row['by']:
            alone.setdefault(name, [0, 0])
            alone[name][0] += 1
            alone[name][1] += len(row['by']) == 1
    for name, (all_of, only) in sorted(alone.items(), key=lambda item: -item[1][0]):
        print('%6d, alone %d: %s' % (all_of, only, name))
    print('survivors:')
    for row in compiled:
        if not row['by']:
            print('  {file}:{line}:{column} {kind} {old} -> {new}'.format(**row))


if __name__ == '__main__':
    main()
