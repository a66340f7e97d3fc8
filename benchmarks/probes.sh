#!/usr/bin/env bash
# Probes against the plain run: CPU of tests in a process each, of yaml-cpp and leveldb as they build themselves; of many tests in one start
# of their program; and against callgrind: functions that a test entered and its row lacks. --full: every test; callgrind at -O0, with Clang
# and with LTO, too; and all rows of three projects at -O0 against those by counters, of the same sources. --rows: only what is compared of
# that, which takes no time into account.
set -euo pipefail
cd "$(dirname "$0")/.."
. benchmarks/lib.sh
. benchmarks/subjects/lib.sh

short_step=7 short_rounds=3 long_step=4 long_rounds=1 truth_step=40 batch_rounds=5
how=${1:-}
case $how in '' | --full | --rows) ;; *) sed -n '2,5s/^# //p' "$0" >&2; exit 2 ;; esac
if [ "$how" = --full ]; then short_step=1 long_step=1 long_rounds=2; fi
if [ -n "$how" ]; then truth_step=10; fi
work=$PWD/build/bench/probes
mkdir -p "$work"
cmake --build build/release --target morph_probe_tables morph_probe_runtime >/dev/null
tables=$PWD/build/release/benchmarks/morph_probe_tables
runtime=$PWD/build/release/lib/morph/libmorph_probe.so

# built NAME OPTION...: a subject without Morph, built in a folder of that name.
built() {
  local name=$1 subject=$work/${1%%-at-*}
  shift
  . "benchmarks/subjects/${name%%-at-*}.sh"
  subject_get "$subject" >&2
  cmake -S "$subject" -B "$subject/$name" -G Ninja -DCMAKE_BUILD_TYPE=Release "${subject_configure[@]}" "$@" >/dev/null
  # shellcheck disable=SC2086  # several targets, separated by blanks
  cmake --build "$subject/$name" ${subject_target:+--target $subject_target} >/dev/null
  echo "$subject/$name"
}

cost() { python3 benchmarks/probes.py cost "$tables" "$runtime" "$work/cost" "$@"; }
truth() {
  if ! command -v valgrind >/dev/null; then echo null; return; fi
  python3 benchmarks/probes.py truth "$tables" "$runtime" "$work/truth" "$@"
}

yaml=$(built yaml-cpp)/test/yaml-cpp-tests
short=null long=null batch=null
if [ "$how" != --rows ]; then
  leveldb=$(built leveldb)
  mapfile -t programs < <(find "$leveldb" -maxdepth 1 -name '*_test' -not -name c_test)
  short=$(cost $short_step $short_rounds "$yaml")
  long=$(cost $long_step $long_rounds "${programs[@]}")
  batch=$(python3 benchmarks/probes.py batch "$tables" "$runtime" "$work/batch" 1 $batch_rounds "$yaml")
fi
rows=$(truth $truth_step "$yaml")
if [ -n "$how" ]; then
  declare -A options=([O0]=-DCMAKE_CXX_FLAGS_RELEASE=-O0 [clang]=-DCMAKE_CXX_COMPILER=clang++-19
    [lto]='-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON -DCMAKE_POLICY_DEFAULT_CMP0069=NEW')
  for way in O0 clang lto; do
    # shellcheck disable=SC2086  # several options, separated by blanks
    more=$(truth 16 "$(built "yaml-cpp-at-$way" ${options[$way]})/test/yaml-cpp-tests")
    echo "yaml-cpp-at-$way: $more" >&2
    rows=$(jq -c -n --argjson one "$rows" --argjson other "$more" \
      'if $one then reduce ("tests", "entries", "missed", "extra") as $key ({}; .[$key] = $one[$key] + $other[$key]) else null end')
  done
fi

# counted NAME: rows of a subject by probes and by counters, both at -O0: tests, pairs, those only by counters, those only by probes.
counted() {
  local subject=$work/counted/$1 evidence ids
  . "benchmarks/subjects/$1.sh"
  subject_with_morph "$subject" >&2
  rm -f "$subject/.morph/evidence.db"
  for evidence in twin probes; do
    # With counters in both: without them GCC evaluates calls of constexpr functions that it makes otherwise.
    cmake -S "$subject" -B "$subject/build-$evidence" -G Ninja -DMORPH_EVIDENCE=$evidence -DCMAKE_BUILD_TYPE=Debug "${subject_configure[@]}" \
      -DCMAKE_CXX_FLAGS="-O0$(if [ $evidence = probes ]; then echo ' --coverage'; fi)" \
      -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
    # shellcheck disable=SC2086  # several targets, separated by blanks
    cmake --build "$subject/build-$evidence" ${subject_target:+--target $subject_target} >/dev/null
    "$work/prefix/bin/morph" measure --build "$subject/build-$evidence" -q >&2 || true # some subjects have tests that fail
  done
  mapfile -t ids < <("$work/prefix/bin/morph" store info --build "$subject/build-probes" --json | jq '.measurements | sort_by(.id) | .[].id')
  build/release/benchmarks/morph_rows "$subject/.morph/evidence.db" "${ids[0]}" "${ids[1]}" functions | tee "$work/counted/$1.txt" | tail -n 1
}
counts='{}'
if [ -n "$how" ]; then
  cmake --build build/release --target morph_rows >/dev/null
  cmake --install build/release --prefix "$work/prefix" >/dev/null
  for name in yaml-cpp fmt leveldb; do
    read -r _ tests _ pairs _ missed _ extra _ < <(counted $name)
    echo "$name at -O0: $tests tests, $pairs functions by counters, $missed missed, $extra extra"
    counts=$(jq -c --arg name $name --argjson tests "$tests" --argjson pairs "$pairs" --argjson missed "$missed" --argjson extra "$extra" \
      '.[$name] = {$tests, $pairs, $missed, $extra}' <<<"$counts")
  done
fi
of() { jq -r "$2" <<<"$1"; }
if [ "$how" = --rows ]; then
  echo "callgrind: $(of "$rows" '"\(.tests) tests, \(.entries) entries, \(.missed) missed, \(.extra) extra"')"
  jq -c -n --argjson conditions "$(conditions)" --argjson rows "$rows" --argjson counts "$counts" \
    '{bench: "probes", figures: {rows_compared: ($rows.entries // null), rows_missed: ($rows.missed // null), rows_extra: ($rows.extra // null),
      against_counters: $counts}, $conditions}'
  exit 0
fi
echo "yaml-cpp: $(of "$short" .plain_ms) ms a test plain, $(of "$short" .probed_ms) under probes: $(of "$short" .ratio) times; its table in $(of "$short" .table_ms) ms"
echo "leveldb: $(of "$long" .plain_ms) ms a test plain, $(of "$long" .probed_ms) under probes: $(of "$long" .ratio) times"
echo "  of its tests of 20 ms and more: $(of "$long" .ratio_20ms) times; of a second and more: $(of "$long" .ratio_1s) times"
echo "yaml-cpp in one process: $(of "$batch" .plain_ms) ms a test; a series that records each: $(of "$batch" .by_test_ratio) times, by main() $(of "$batch" .by_main_ratio)"
echo "callgrind: $(of "$rows" '"\(.tests) tests, \(.entries) entries, \(.missed) missed, \(.extra) extra"')"
jq -c -n --argjson conditions "$(conditions)" --argjson short "$short" --argjson long "$long" --argjson rows "$rows" --argjson batch "$batch" --argjson counts "$counts" \
  '{bench: "probes", figures: {short_ratio: $short.ratio, short_plain_ms: $short.plain_ms, leveldb_ratio: $long.ratio,
    ratio_20ms: $long.ratio_20ms, ratio_1s: $long.ratio_1s, batch_ratio: $batch.by_test_ratio, batch_by_main_ratio: $batch.by_main_ratio, table_ms: $short.table_ms,
    other_ends: ($short.other_ends + $long.other_ends), rows_compared: ($rows.entries // null), rows_missed: ($rows.missed // null),
    rows_extra: ($rows.extra // null), against_counters: $counts}, $conditions}'
