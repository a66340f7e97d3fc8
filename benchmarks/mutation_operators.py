"""Of reports of `morph mutate`, the last one with --all-killers: by operator, what became of its mutants.

A mutant is subsumed if the tests that kill another one are some of those that kill it, and fewer: who kills that one
kills both (dynamic mutant subsumption; Ammann, Delamaro, Offutt, ICST 2014). `same` are those that are compiled to the
code of an earlier survivor.
"""
import collections
import json
import sys


def killers_as_bits(mutants):
    numbers = {}
    sets = []
    for mutant in mutants:
        bits = 0
        for test in mutant['killers']:
            bits |= 1 << numbers.setdefault(test, len(numbers))
        sets.append(bits)
    return sets


def minimal(sets):
    """Those of which no other one is a strict part."""
    found = []
    for bits in sorted(set(sets), key=lambda b: bin(b).count('1')):
        if not any(smaller & bits == smaller for smaller in found):
            found.append(bits)
    return set(found)


def rows_of(report):
    mutants = report['mutants']
    killed = [m for m in mutants if m['state'] in ('killed', 'crashed', 'timed out')]
    sets = killers_as_bits(killed)
    least = minimal(sets)
    rows = collections.defaultdict(collections.Counter)
    for mutant in mutants:
        row = rows[mutant['operator']]
        row['mutants'] += 1
        row['reached'] += mutant['state'] not in ('not covered',)
        row['survived'] += mutant['state'] == 'survived'
        row['equivalent'] += mutant['state'] == 'equivalent'
        row['same'] += mutant['state'] == 'survived' and mutant['reason'].startswith('the same code')
    for mutant, bits in zip(killed, sets):
        rows[mutant['operator']]['killed'] += 1
        rows[mutant['operator']]['subsumed'] += bits not in least
    return {name: dict(row) for name, row in sorted(rows.items())}


json.dump({path.rsplit('/', 1)[-1].removesuffix('.json'): rows_of(json.load(open(path))) for path in sys.argv[1:]}, sys.stdout)
print()
