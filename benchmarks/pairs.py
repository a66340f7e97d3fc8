# Coupled branches of one subject of `./dev bench pairs`, by each search; then what that means over all pairs of all subjects.
# pairs.py compare --subject NAME --morph FILE --build DIR --first N --pairs N --ways WAY,... --budget SECONDS --seed N --raw FILE --log FILE
# pairs.py summary --json FILE RAW...
import argparse
import collections
import json
import math
import resource
import statistics
import subprocess
import time

WAYS = ['pairs', 'both', 'branches', 'mosa', 'whole-suite', 'novelty', 'random']

options = argparse.ArgumentParser()
tasks = options.add_subparsers(dest='task', required=True)
compare_options = tasks.add_parser('compare')
for name in ('subject', 'morph', 'build', 'raw', 'log', 'ways'):
    compare_options.add_argument('--' + name, required=True)
for name in ('first', 'pairs', 'seed'):
    compare_options.add_argument('--' + name, type=int, required=True)
compare_options.add_argument('--budget', type=float, required=True)
summary_options = tasks.add_parser('summary')
summary_options.add_argument('--json', required=True)
summary_options.add_argument('raw', nargs='+')
asked = options.parse_args()


def children_cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# ---- searching


def morph(*arguments):
    with open(asked.log, 'a') as log:
        ended = subprocess.run([asked.morph, 'generate', '--build', asked.build, '--json', '-q', *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        log.write(' '.join(arguments) + '\n' + ended.stderr)
    try:
        made = json.loads(ended.stdout)
        return (None, ended.stderr.strip()) if ended.returncode > 1 else (made, '')
    except json.JSONDecodeError:
        return None, ended.stderr.strip() or f'exit status {ended.returncode}'


def share(part, whole):
    return 100 * part / whole if whole else 0


def compare():
    listed, error = morph('--pairs', 'list')
    if listed is None:
        raise SystemExit(error)
    with open(asked.raw, 'w') as raw:
        for rank, candidate in list(enumerate(listed[:asked.pairs], 1))[asked.first - 1:]:
            name = f"{candidate['caller']}:{candidate['callee']}"
            cpu, begun = children_cpu(), time.monotonic()
            made, error = morph('--pair', name, '--compare', asked.ways, '--without-tests', '--budget', str(asked.budget), '--seed', str(asked.seed))
            row = {'row': 'pair', 'subject': asked.subject, 'pair': name, 'rank': rank, 'candidate': candidate, 'candidates': len(listed), 'seed': asked.seed,
                   'budget': asked.budget, 'cpu': round(children_cpu() - cpu, 1), 'seconds': round(time.monotonic() - begun, 1)}
            if made is None:
                row['error'] = error
            else:
                row |= {'coupled': made['pairs'], 'unseen': made['unseen'], 'branches': made['branches'], 'searches': {each['search']: each for each in made['searches']}}
            raw.write(json.dumps(row) + '\n')
            raw.flush()
            print(f'{asked.subject} {name}: ' + (error.split('\n')[-1][:160] if made is None else f"{len(made['pairs'])} coupled branches; " + ', '.join(
                f"{way} {share(len(each['covered']), len(made['pairs'])):.1f} %" for way, each in row['searches'].items())) + f"; {row['cpu']} CPU s", flush=True)


# ---- judging


def ranks(values):
    """Of equal values the mean of their ranks."""
    order, made, i = sorted(values), {}, 0
    while i < len(order):
        j = i
        while j < len(order) and order[j] == order[i]:
            j += 1
        made[order[i]] = (i + 1 + j) / 2
        i = j
    return made


def wilcoxon(differences):
    """p of the signed-rank test, two-sided, by the normal approximation with ties; without differences 1."""
    left = [each for each in differences if each != 0]
    if not left:
        return 1.0
    of = ranks([abs(each) for each in left])
    n, positive = len(left), sum(of[abs(each)] for each in left if each > 0)
    ties = sum(t ** 3 - t for t in collections.Counter(abs(each) for each in left).values())
    deviation = math.sqrt(n * (n + 1) * (2 * n + 1) / 24 - ties / 48)
    z = abs(positive - n * (n + 1) / 4) - 0.5
    return math.erfc(max(0.0, z) / deviation / math.sqrt(2))


def vargha_delaney(a, b):
    """How often a value of `a` is larger than one of `b`."""
    return sum((x > y) + (x == y) / 2 for x in a for y in b) / (len(a) * len(b))


def beside_pairs(taken, way):
    """How much less it takes than `pairs`; nothing if that is not one of the searches."""
    if 'pairs' not in taken:
        return {}
    differences = [a - b for a, b in zip(taken['pairs'], taken[way])]
    return {'difference': statistics.mean(differences), 'wilcoxon_p': wilcoxon(differences), 'vargha_delaney': vargha_delaney(taken['pairs'], taken[way])}


def summary():
    rows = [json.loads(line) for path in asked.raw for line in open(path)]
    pairs = [each for each in rows if each['row'] == 'pair']
    searched = [each for each in pairs if 'error' not in each]
    not_searched = [f"not searched: {each['subject']} {each['pair']}: {(each['error'].splitlines() or [''])[-1][:200]}" for each in pairs if 'error' in each]
    if not searched:
        raise SystemExit('\n'.join(['no pair was searched', *not_searched]))
    ways = [way for way in WAYS if all(way in each['searches'] for each in searched)]
    taken = {way: [share(len(each['searches'][way]['covered']), len(each['coupled'])) for each in searched] for way in ways}
    executed = {way: [share(len(each['searches'][way]['executed']), len(each['coupled'])) for each in searched] for way in ways}
    figures = {'pairs': len(pairs), 'searched': len(searched), 'projects': len({each['subject'] for each in searched}),
               'coupled_branches': sum(len(each['coupled']) for each in searched), 'searches': {}, 'by_subject': {}}
    print(f"{figures['searched']} of {figures['pairs']} pairs of {figures['projects']} projects searched, {figures['coupled_branches']} coupled branches; CBC in percent of a pair")
    print(f"{'search':<22}{'mean':>8}{'median':>8}{'> 50 %':>8}{'executed':>10}{'less than pairs':>17}{'p':>10}{'A12':>7}{'branches':>10}{'seq.':>9}{'CPU s':>8}")
    for way in ways:
        others = [each['searches'][way] for each in searched]
        row = figures['searches'][way] = {
            'mean': statistics.mean(taken[way]), 'median': statistics.median(taken[way]), 'above_50': sum(each > 50 for each in taken[way]),
            'executed_mean': statistics.mean(executed[way]), **beside_pairs(taken, way),
            'branches_mean': statistics.mean(share(each['branches'], row['branches']) for each, row in zip(others, searched)),
            'sequences': sum(each['sequences'] for each in others), 'cpu': sum(each['cpu_seconds'] for each in others)}
        print(f"{way:<22}{row['mean']:>8.1f}{row['median']:>8.1f}{row['above_50']:>8}{row['executed_mean']:>10.1f}"
              + (f"{row['difference']:>17.1f}{row['wilcoxon_p']:>10.2g}{row['vargha_delaney']:>7.2f}" if 'difference' in row else f"{'-':>17}{'-':>10}{'-':>7}")
              + f"{row['branches_mean']:>10.1f}{row['sequences']:>9}{row['cpu']:>8.0f}")
    if 'branches' in ways:
        figures['branches_selected_mean'] = statistics.mean(share(len(each['searches']['branches']['selected']), len(each['coupled'])) for each in searched)
        print(f"tests of the search for branches, before they are shortened: {figures['branches_selected_mean']:.1f} %")
    for subject in dict.fromkeys(each['subject'] for each in pairs):
        of = [i for i, each in enumerate(searched) if each['subject'] == subject]
        figures['by_subject'][subject] = {'pairs': len(of)} | {way: statistics.mean(taken[way][i] for i in of) if of else None for way in ways}
        print(f'{subject:<22}{len(of):>3} pairs  ' + (', '.join(f'{way} {statistics.mean(taken[way][i] for i in of):.1f}' for way in ways) if of else ''))
    for line in not_searched:
        print(line)
    mutants = [each for each in rows if each['row'] == 'mutants' and each['mutants']]
    if mutants:
        all_mutants = sum(each['mutants'] for each in mutants)
        figures['mutants'] = {'pairs': len(mutants), 'mutants': all_mutants} | {
            key: sum(each[key] for each in mutants) for key in ('pair_kills', 'caller_kills', 'callee_kills', 'unit_kills', 'only_pair', 'only_units')} | {
            'only_pair_mean_pct': statistics.mean(share(each['only_pair'], each['mutants']) for each in mutants)}
        one = figures['mutants']
        print(f"mutants of callees: {all_mutants} of {one['pairs']} pairs; tests of pairs kill {share(one['pair_kills'], all_mutants):.1f} %, unit tests of the caller {share(one['caller_kills'], all_mutants):.1f} %, "
              f"of the callee {share(one['callee_kills'], all_mutants):.1f} %, of both {share(one['unit_kills'], all_mutants):.1f} %; only those of pairs {share(one['only_pair'], all_mutants):.1f} % "
              f"(mean of pairs {one['only_pair_mean_pct']:.1f} %), only unit tests {share(one['only_units'], all_mutants):.1f} %")
    for each in rows:
        if each['row'] == 'mutants' and 'error' in each:
            print(f"mutants not judged: {each['subject']} {each['pair']}: {(each['error'].splitlines() or [''])[-1][:200]}")
    with open(asked.json, 'w') as to:
        json.dump(figures, to)


compare() if asked.task == 'compare' else summary()
