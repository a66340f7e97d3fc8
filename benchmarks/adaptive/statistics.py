# Mann-Whitney's U (two-sided, normal approximation with ties and continuity) and A12 (Vargha, Delaney 2000) of strategies
# against two baselines, for each scenario (subject and mutant): statistics.py REPLAYS COSTS CSV JSON.
# REPLAYS has the lines of replay.cpp, COSTS a line of JSON for each subject and strategy: microseconds a step. Printed is
# the table of docs/specs/adaptive.md; CSV gets a row for each scenario, strategy, measure and baseline, JSON the sums.
import csv
import json
import math
import sys
from collections import defaultdict

BASELINES = ('random+uniform', 'art+uniform')
MOST = 5000  # steps; what was not found within counts as this


def mann_whitney(a, b):
    """p of two samples."""
    both = sorted([(x, 0) for x in a] + [(x, 1) for x in b])
    ranks, ties, i = 0.0, 0.0, 0
    while i < len(both):
        j = i
        while j < len(both) and both[j][0] == both[i][0]:
            j += 1
        rank = (i + j + 1) / 2
        ranks += rank * sum(1 for k in range(i, j) if both[k][1] == 0)
        ties += (j - i) ** 3 - (j - i)
        i = j
    n, m = len(a), len(b)
    u = ranks - n * (n + 1) / 2
    variance = n * m / 12 * ((n + m + 1) - ties / ((n + m) * (n + m - 1)))
    if variance <= 0:
        return 1.0
    z = max(0.0, abs(u - n * m / 2) - 0.5) / math.sqrt(variance)
    return math.erfc(z / math.sqrt(2))


def a12(a, b):
    """How likely a value of `a` is below one of `b`: above 0.5, `a` needs fewer tests."""
    below = sum((x < y) + 0.5 * (x == y) for x in a for y in b)
    return below / (len(a) * len(b))


def main():
    runs = defaultdict(lambda: defaultdict(list))  # scenario -> strategy -> (F, F2)
    for line in open(sys.argv[1], encoding='utf-8'):
        subject, mutant, _, strategy, _, f, f2 = line.rstrip('\n').split('\t')
        first = MOST if f == '-' else int(f)
        runs[subject, mutant][strategy].append((first, MOST if f2 == '-' else int(f2)))
    cost = {}
    for line in open(sys.argv[2], encoding='utf-8'):
        row = json.loads(line)
        cost[row['subject'], row['strategy']] = row
    strategies = list(next(iter(runs.values())))
    subjects = sorted({s for s, _ in runs})

    def microseconds(subject, strategy, steps):
        of = cost[subject, strategy]
        return steps * (of['us'] + of['us_more_a_step'] * steps)

    def samples(scenario, strategy, what):
        rows = runs[scenario][strategy]
        if what == 'F-time':
            return [microseconds(scenario[0], strategy, f) for f, _ in rows]
        return [row[0 if what == 'F' else 1] for row in rows]

    def mean(values):
        values = list(values)
        return sum(values) / len(values)

    print('%d scenarios (%s), %d runs each; the table of docs/specs/adaptive.md:' % (
        len(runs), ', '.join('%s %d' % (s, sum(1 for x, _ in runs if x == s)) for s in subjects), len(next(iter(runs.values()))[strategies[0]])))
    rows = {strategy: {} for strategy in strategies}
    scenarios = []
    for what in ('F', 'F2', 'F-time'):
        for strategy in strategies:
            row = rows[strategy][what] = {'measure': what, 'strategy': strategy}
            row['ratio'] = math.exp(mean(
                math.log(max(1e-9, mean(samples(s, strategy, what))) / max(1e-9, mean(samples(s, BASELINES[0], what)))) for s in runs))
            for baseline in BASELINES:
                better = worse = lower = 0
                effects = []
                for scenario in runs:
                    a, b = samples(scenario, strategy, what), samples(scenario, baseline, what)
                    effect, p = a12(a, b), mann_whitney(a, b)
                    effects.append(effect)
                    lower += mean(a) < mean(b)
                    better += p < 0.05 and effect > 0.5
                    worse += p < 0.05 and effect < 0.5
                    if strategy != baseline:
                        scenarios.append([*scenario, strategy, what, '%.6g' % mean(a), baseline, '%.6g' % mean(b), '%.4g' % p, '%.4f' % effect])
                row[baseline] = {'better': better, 'worse': worse, 'lower_mean': lower, 'a12': mean(effects)}

    print()
    print('| sources + relations |' + ''.join(' %s: ratio | than random | than adaptive random |' % name for name in ('F', 'F2', 'time')))
    print('| --- |' + ' --- | --- | --- |' * 3)
    for strategy in strategies:
        cells = []
        for of in rows[strategy].values():
            cells.append('1' if strategy == BASELINES[0] else '%.2f' % of['ratio'] if of['ratio'] < 9.95 else '%.0f' % of['ratio'])
            for baseline in BASELINES:
                against = of[baseline]
                cells.append('' if strategy == baseline else '%d / %d; %.2f' % (against['better'], against['worse'], against['a12']))
        name = strategy.replace(', as published', ', `--paper`').replace('+', ' + ')
        print('| %s | %s |' % (name, ' | '.join(cells)))

    with open(sys.argv[3], 'w', encoding='utf-8', newline='') as out:
        table = csv.writer(out, lineterminator='\n')
        table.writerow(['subject', 'mutant', 'strategy', 'measure', 'mean', 'baseline', 'baseline_mean', 'p', 'a12'])
        table.writerows(scenarios)
    censored = sum(1 for by in runs.values() for all_of in by.values() for f, _ in all_of if f == MOST)
    print('\nruns without a violation in %d steps, counted as that: %d of %d' % (MOST, censored, sum(len(r) for by in runs.values() for r in by.values())))
    print('each scenario: %s' % sys.argv[3])
    with open(sys.argv[4], 'w', encoding='utf-8') as out:
        json.dump({'scenarios': len(runs), 'by_strategy': [row for by in rows.values() for row in by.values()]}, out)


if __name__ == '__main__':
    main()
