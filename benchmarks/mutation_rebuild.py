# Program mutants of a report of `morph mutate --json`, each put into the sources alone, rebuilt and tried by the whole test program.
# mutation_rebuild.py --report FILE --source DIR --build DIR --program FILE --raw FILE [--sample N] [--survivors N] [--seed N] [--seconds N] [--twin FILE]
#
# DIR is a copy of the sources with a build tree of its own, which is built first. The sample is drawn of the mutants that tests reach; if it
# has too few survivors, others follow, and a tenth as many that no test reaches. A line of JSON each is written: our verdict, theirs, CPU
# seconds of the build and of the run (up to the first failure). The build is put back from a copy, which is not counted. Where verdicts
# differ, the program is tried again, and so is Morph's own with that mutant on, all tests in one process (--twin). Rows that are there
# stay, with our verdict of this report: their part does not depend on Morph. Those that this sample does not have are not `drawn`.
import argparse
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

KILLS = ('killed', 'crashed', 'timed out')


def mutated(text, mutant):
    """As the rewritten source has it while the mutant is active."""
    begin, end, new = mutant['begin'], mutant['end'], mutant['replacement'].encode()
    if mutant['operator'] == 'xt':
        return text[:end] + b' if(true){' + new + b'}' + text[end:]
    if not new:
        return text[:begin] + b'{}' + text[end:]
    return text[:begin] + b'(' + new + b')' + text[end:]


def limits(cpu):
    def apply():
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if cpu:
            resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
    return apply


def run(arguments, folder, cpu=0, wall=3600, environment=None):
    """(how it ended, CPU seconds with children, output)"""
    process = subprocess.Popen(arguments, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               preexec_fn=limits(cpu))
    late = []

    def stop():
        late.append(True)
        os.killpg(process.pid, signal.SIGKILL)
    timer = threading.Timer(wall, stop)
    timer.start()
    chunks = []
    while chunk := process.stdout.read(1 << 16):
        if len(chunks) < 1000:
            chunks.append(chunk)
    status, used = os.wait4(process.pid, 0)[1:]
    timer.cancel()
    process.stdout.close()
    process.returncode = 0
    signal_number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if late or signal_number == signal.SIGXCPU or cpu and used.ru_utime + used.ru_stime >= cpu:
        how = 'timed out'
    elif signal_number:
        how = 'crashed'
    else:
        how = 'survived' if os.WEXITSTATUS(status) == 0 else 'killed'
    return how, used.ru_utime + used.ru_stime, b''.join(chunks).decode(errors='replace')


def failed_tests(output):
    """Of GoogleTest; the one that was running where it ended otherwise."""
    failed = [line.split(']', 1)[1].split(',')[0].split(' (')[0].strip() for line in output.split('\n') if line.startswith('[  FAILED  ] ') and '.' in line]
    if failed:
        return failed[0]
    begun = [line for line in output.split('\n') if line.startswith('[ RUN      ] ')]
    return begun[-1].split('] ', 1)[1].strip() if begun else ''


def key_of(row):
    return tuple(row[name] for name in ('file', 'begin', 'end', 'operator', 'replacement'))


def agree(row):
    return row['theirs'] == 'does not compile' or (row['theirs'] in KILLS) == (row['ours'] in KILLS)


def earlier_rows(path):
    if not os.path.exists(path):
        return {}
    with open(path, encoding='utf-8') as file:
        return {key_of(row): dict(row, drawn=False) for row in map(json.loads, file)}


def take_known(rows, chosen, source):
    """What of these rows answers for the chosen mutants becomes drawn."""
    for mutant, is_sampled in chosen:
        row = rows.get(key_of(mutant))
        if row is None:
            continue
        with open(os.path.join(source, mutant['file']), 'rb') as file:
            is_same = file.read()[mutant['begin']:mutant['end']].decode(errors='replace') == row['original']
        row.update(sampled=is_sampled, ours=mutant['state'], ours_test=mutant['test'])
        row['agrees'] = agree(row)
        row['drawn'] = is_same and (row['agrees'] or 'twin' in row)


class Build:
    def __init__(self, source, build, target):
        self.source, self.build, self.target = source, build, target
        self.kept = build + '.kept'

    def compile(self):
        how, cpu, output = run(['cmake', '--build', self.build, '-j', '1'] + (['--target', self.target] if self.target else []), self.source)
        return how == 'survived', cpu, output

    def files(self):
        for folder, _, names in os.walk(self.build):
            for name in names:
                yield os.path.join(folder, name)

    def keep(self):
        shutil.rmtree(self.kept, ignore_errors=True)
        shutil.copytree(self.build, self.kept, symlinks=True)

    def put_back(self):
        """With the times they had: nothing is to be built then."""
        for path in self.files():
            kept = os.path.join(self.kept, os.path.relpath(path, self.build))
            if os.path.lexists(kept) and os.lstat(kept).st_mtime_ns != os.lstat(path).st_mtime_ns:
                shutil.copy2(kept, path)


def draw(mutants, size, survivors, seed):
    """(mutant, whether it is of the sample proper)"""
    by_chance = random.Random(seed)
    reached = [m for m in mutants if m['state'] != 'not covered']
    by_chance.shuffle(reached)
    chosen = [(m, True) for m in reached[:size]]
    missing = survivors - sum(m['state'] == 'survived' for m, _ in chosen)
    chosen += [(m, False) for m in reached[size:] if m['state'] == 'survived'][:max(missing, 0)]
    others = [m for m in mutants if m['state'] == 'not covered']
    by_chance.shuffle(others)
    chosen += [(m, False) for m in others[:size // 10]]
    by_chance.shuffle(chosen)
    return chosen


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--report', required=True)
    parser.add_argument('--source', required=True)
    parser.add_argument('--build', required=True)
    parser.add_argument('--target', default='')
    parser.add_argument('--program', required=True)
    parser.add_argument('--directory', help='where the program runs; else beside it')
    parser.add_argument('--twin', help='the program that holds all mutants')
    parser.add_argument('--raw', required=True)
    parser.add_argument('--sample', type=int, default=100)
    parser.add_argument('--survivors', type=int, default=30)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--seconds', type=float, default=900, help='no mutant is begun after that')
    options = parser.parse_args()
    with open(options.report, encoding='utf-8') as file:
        chosen = draw(json.load(file)['mutants'], options.sample, options.survivors, options.seed)

    build = Build(options.source, options.build, options.target)
    built, _, output = build.compile()
    if not built:
        sys.exit('the tree does not build:\n' + output[-2000:])
    build.keep()
    directory = options.directory or os.path.dirname(options.program)
    environment = dict(os.environ, GTEST_FAIL_FAST='1')
    how, plain, output = run([options.program], directory, environment=environment)
    if how != 'survived':
        sys.exit('the tests fail without a mutant')
    cpu = int(5 * plain) + 2
    rows = earlier_rows(options.raw)
    take_known(rows, chosen, options.source)
    started = time.monotonic()
    with open(options.raw, 'w', encoding='utf-8') as raw:
        chosen_keys = {key_of(mutant) for mutant, _ in chosen}
        raw.writelines(json.dumps(row) + '\n' for key, row in rows.items() if row['drawn'] or key not in chosen_keys)
        for mutant, is_sampled in chosen:
            if rows.get(key_of(mutant), {}).get('drawn'):
                continue
            if time.monotonic() - started > options.seconds:
                break
            path = os.path.join(options.source, mutant['file'])
            before = os.lstat(path)
            with open(path, 'rb') as file:
                text = file.read()
            row = {'drawn': True, 'sampled': is_sampled, 'ours': mutant['state'], 'ours_test': mutant['test']}
            try:
                with open(path, 'wb') as file:
                    file.write(mutated(text, mutant))
                built, row['build_seconds'], output = build.compile()
                if not built:
                    row.update(theirs='does not compile', said=next((line for line in output.split('\n') if 'error:' in line), '')[-300:], run_seconds=0)
                else:
                    row['theirs'], row['run_seconds'], output = run([options.program], directory, cpu, 120, environment)
                    row['theirs_test'] = failed_tests(output) if row['theirs'] in KILLS else ''
                    if (row['theirs'] in KILLS) != (row['ours'] in KILLS):
                        row['again'] = run([options.program], directory, cpu, 120, environment)[0]
                        if options.twin:
                            on = dict(environment, MORPH_MUTANT='%d:%d:%d' % (mutant['node'], mutant['alternative'], mutant['function_node']))
                            how, _, output = run([options.twin], directory, cpu, 120, on)
                            row.update(twin=how, twin_test=failed_tests(output) if how in KILLS else '')
            finally:
                with open(path, 'wb') as file:
                    file.write(text)
                os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
                build.put_back()
            row.update({key: mutant[key] for key in ('file', 'line', 'column', 'operator', 'replacement', 'node', 'function_node', 'alternative', 'begin', 'end')})
            row['original'] = text[mutant['begin']:mutant['end']].decode(errors='replace')
            row['agrees'] = agree(row)
            raw.write(json.dumps(row) + '\n')
            raw.flush()
            print('{file}:{line}:{column} [{operator}]: {ours}, rebuilt {theirs}'.format(**row), '' if row['agrees'] else '<--', flush=True)
    shutil.rmtree(build.kept)


if __name__ == '__main__':
    main()
