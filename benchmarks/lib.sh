# Timing, medians and the last line of a benchmark.

# Runs "$@" n times and writes a row `label wall_ms cpu_ms` each to $raw. CPU includes children.
measure_runs() {
  local label=$1 n=$2 i
  shift 2
  for ((i = 0; i < n; ++i)); do
    local TIMEFORMAT='%R %U %S' row
    row=$({ time "$@" >/dev/null 2>&1; } 2>&1 | tail -n 1)
    awk -v label="$label" '{printf "%s %.1f %.1f\n", label, $1 * 1000, ($2 + $3) * 1000}' <<<"$row" >>"$raw"
  done
}

# median LABEL wall|cpu
median() {
  awk -v label="$1" -v column="$([ "$2" = wall ] && echo 2 || echo 3)" '$1 == label {print $column}' "$raw" | sort -n |
    awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'
}

# The sum over all runs: total LABEL wall|cpu
total() {
  awk -v label="$1" -v column="$([ "$2" = wall ] && echo 2 || echo 3)" '$1 == label {sum += $column} END {print sum}' "$raw"
}

# The CPU of runs that took turns, the first label's to the second's: the median over the pairs.
median_ratio() {
  awk -v one="$1" -v other="$2" '$1 == one {a[++n] = $3} $1 == other {b[++m] = $3} END {for (i = 1; i <= n; ++i) print a[i] / b[i]}' "$raw" | sort -n |
    awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'
}

conditions() {
  jq -n --arg cpu "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" --arg load "$(cut -d' ' -f1-3 /proc/loadavg)" \
    --arg compiler "$(g++ --version | head -n 1)" --argjson processors "$(nproc)" '{$cpu, $processors, $compiler, load: $load}'
}
