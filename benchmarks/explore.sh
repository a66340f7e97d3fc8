#!/usr/bin/env bash
# Exploration: runs for each border pair by strategy, beside what is published of Morphy, and false border pairs.
# explore.sh [n]: n seeds of the random numbers (default 30).
set -euo pipefail
cd "$(dirname "$0")/.."
. benchmarks/lib.sh

n=${1:-30}
cmake --build build/release --target morph_explore_bench >/dev/null
rows=$(build/release/benchmarks/morph_explore_bench "$n")

printf '%-14s %5s %-10s %9s %8s %10s %10s %7s %6s\n' strategy step classifier searches borders midpoints 'all runs' wider false
jq -r 'def a(x): if .borders == 0 then "-" else (x / .borders * 10 | round / 10) end;
  [.strategy, (if .strategy == "random-target" then "-" else .step end), .classifier, .searches, .borders, a(.midpoints),
   a(.steps + .midpoints + .confirming), .wider, .false] | @tsv' <<<"$rows" |
  while IFS=$'\t' read -r strategy step classifier searches borders midpoints runs wider false; do
    printf '%-14s %5s %-10s %9s %8s %10s %10s %7s %6s\n' "$strategy" "$step" "$classifier" "$searches" "$borders" "$midpoints" "$runs" "$wider" "$false"
  done
echo
printf '%-14s %22s %22s %22s\n' strategy 'midpoints a border' 'all runs a border' 'published (Morphy)'
jq -rs 'group_by(.strategy)[] | [.[0].strategy, (map(.midpoints) | add), (map(.steps + .midpoints + .confirming) | add), (map(.borders) | add)] | @tsv' <<<"$rows" |
  while IFS=$'\t' read -r strategy midpoints runs borders; do
    case $strategy in random-target) published=20.7 ;; random-walk) published=57.0 ;; *) published=217.4 ;; esac
    printf '%-14s %22s %22s %22s\n' "$strategy" "$(jq -n "$midpoints / $borders * 10 | round / 10")" "$(jq -n "$runs / $borders * 10 | round / 10")" $published
  done
jq -nc --argjson conditions "$(conditions)" --argjson rows "$(jq -cs . <<<"$rows")" \
  'def of(s): $rows | map(select(.strategy == s));
   def a_border(s; f): (of(s) | map(f) | add) / (of(s) | map(.borders) | add);
   {bench: "explore", midpoints_a_border: a_border("random-target"; .midpoints),
    runs_a_border: {random_target: a_border("random-target"; .steps + .midpoints + .confirming), random_walk: a_border("random-walk"; .steps + .midpoints + .confirming),
      directed_walk: a_border("directed-walk"; .steps + .midpoints + .confirming)},
    false_borders: ($rows | map(.false) | add), wider: ($rows | map(.wider) | add), borders: ($rows | map(.borders) | add), $rows, $conditions}'
