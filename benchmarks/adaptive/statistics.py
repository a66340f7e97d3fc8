# Mann-Whitney's U (two-sided, normal approximation with ties and continuity) and A12 (Vargha, Delaney 2000) of strategies
# against two baselines, for each scenario (subject and mutant): statistics.py REPLAYS COSTS [JSON].
# REPLAYS has the lines of replay.cpp, COSTS a line of JSON for each subject and strategy: microseconds a step.
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

    print('%d scenarios (%s), %d runs each' % (
        len(runs), ', '.join('%s %d' % (s, sum(1 for x, _ in runs if x == s)) for s in subjects), len(next(iter(runs.values()))[strategies[0]])))
    result = []
    for what in ('F', 'F2', 'F-time'):
        print('\n%s: mean over scenarios relative to random+uniform (geometric); scenarios significantly better/worse (p < 0.05), mean A12' % what)
        print('%-26s %9s   %-26s   %-26s' % ('strategy', 'ratio', 'against random+uniform', 'against art+uniform'))
        for strategy in strategies:
            ratios, cells, row = [], [], {'measure': what, 'strategy': strategy}
            for scenario in runs:
                ratios.append(math.log(max(1e-9, mean(samples(scenario, strategy, what))) / max(1e-9, mean(samples(scenario, BASELINES[0], what)))))
            row['ratio'] = math.exp(mean(ratios))
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
                row[baseline] = {'better': better, 'worse': worse, 'lower_mean': lower, 'a12': mean(effects)}
                cells.append('%3d / %3d  A12 %.3f  lower %3d' % (better, worse, mean(effects), lower))
            print('%-26s %9.3f   %-26s   %-26s' % (strategy, row['ratio'], *cells))
            result.append(row)
    censored = sum(1 for by in runs.values() for rows in by.values() for f, _ in rows if f == MOST)
    print('\nruns without a violation in %d steps, counted as that: %d of %d' % (MOST, censored, sum(len(r) for by in runs.values() for r in by.values())))
    if len(sys.argv) > 3:
        json.dump({'scenarios': len(runs), 'by_strategy': result}, open(sys.argv[3], 'w', encoding='utf-8'))


if __name__ == '__main__':
    main()
