#!/usr/bin/env bash
# Morph on other releases of Debian, as a newcomer has it: a fresh root each (debootstrap), `./dev install`, `./dev test`, a table at the end.
# run.sh [--quick] [SUITE...], suites as trixie, forky (default: both). What is tried is the last commit.
#
# --quick: without most of the end-to-end tests; then `./dev demo` on a real project. Roots and logs stay in build/systems.
set -euo pipefail
cd "$(dirname "$0")/../.."

quick='' suites=()
for argument in "$@"; do
  case $argument in
    --quick) quick=1 ;;
    -*) sed -n '3s/^# run.sh/usage: .\/dev systems/p' "$0" >&2; exit 2 ;;
    *) suites+=("$argument") ;;
  esac
done
if [ ${#suites[@]} -eq 0 ]; then suites=(trixie forky); fi
if [ "$(id -u)" -ne 0 ]; then
  echo "./dev systems: a root of another system is made and entered by root alone; call it with sudo" >&2
  exit 3
fi
all_but_end_to_end='^[^e]|^e[^n]|^end_to_end[.](names|framework_names|examples|written_specs|spec_suites)'

# make_root SUITE DIR: with an apt that reaches the same archive as this machine's
make_root() {
  local suite=$1 root=$2 archive scripts=/usr/share/debootstrap/scripts
  archive=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' | sed -n 1p)
  rm -rf "$root"
  # A release that is younger than this debootstrap is made as any other.
  if [ ! -e "$scripts/$suite" ]; then set -- "$@" "$scripts/sid"; fi
  debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" "$archive" "${@:3}"
  cp -a /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
  cp -aL /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
  printf 'deb %s %s main\ndeb-src %s %s main\n' "$archive" "$suite" "$archive" "$suite" >"$root/etc/apt/sources.list"
}

# inside DIR COMMAND...: in the root DIR, with processes and mounts of its own, which end with it
inside() {
  local root=$1
  shift
  # shellcheck disable=SC2016 # expanded by the inner shell
  unshare --mount --pid --fork --kill-child bash -c 'for at in dev sys; do mount --rbind "/$at" "$0/$at"; done
    mount -t proc proc "$0/proc"
    exec chroot "$0" /usr/bin/env -i HOME=/root TERM=dumb LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"' "$root" "$@"
}

# step NAME COMMAND...: to the suite's log; what failed ends the suite. Sets $seconds.
step() {
  local name=$1 began=$SECONDS
  shift
  echo "$suite: $name"
  if ! "$@" >>"$log" 2>&1; then
    failed="$name failed (${log#"$PWD"/})"
    tail -n 15 "$log" >&2
    return 1
  fi
  seconds=$((SECONDS - began))
}

# versions DIR: compiler, CMake, LLVM
versions() {
  inside "$1" sh -c "g++ -dumpfullversion; cmake --version | sed -n 's/cmake version //p'; ls -d /usr/lib/llvm-*/lib/cmake | sed 's/[^0-9]*\([0-9]*\).*/\1/' | sort -n | tail -n 1" |
    paste -sd '|' | sed 's/|/ | /g'
}

# verdicts FILE: tests, failed, skipped of a report in JUnit's XML
verdicts() { sed -n 's/.*<testsuite.*//; s/^[[:space:]]*\(tests\|failures\|skipped\)="\([0-9]*\)"/\1 \2/p; /<testcase/q' "$1" | awk '{ of[$1] = $2 } END { print of["tests"] " | " of["failures"] " | " of["skipped"] }'; }

if ! command -v debootstrap >/dev/null; then apt-get install -y -qq debootstrap >/dev/null; fi
table=build/systems/table.md
mkdir -p build/systems
echo '| system | g++ | CMake | LLVM | install, s | tests, s | entries | failed | not run | demo |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |' >$table
findings=0
for suite in "${suites[@]}"; do
  root=$PWD/build/systems/$suite log=$PWD/build/systems/$suite.log
  failed='' installing='' testing='' counts='| |' demo=''
  : >"$log"
  if step 'making the root' make_root "$suite" "$root" && step 'cloning' git clone -q . "$root/morph" &&
    step './dev install' inside "$root" bash -c 'cd /morph && ./dev install /usr/local && morph --version'; then
    installing=$seconds
    began=$SECONDS
    step './dev test' inside "$root" bash -c "cd /morph && ./dev test ${quick:+'$all_but_end_to_end'}" || true
    testing=$((SECONDS - began))
    if [ -e "$root/morph/build/release/tests.xml" ]; then counts=$(verdicts "$root/morph/build/release/tests.xml"); fi
    if [ -n "$quick" ]; then step './dev demo' inside "$root" bash -c 'cd /morph && ./dev demo' && demo=fine || demo=failed; fi
  fi
  if [ -n "$failed" ]; then findings=1; echo "$suite: $failed" >&2; fi
  echo "| $suite | $(versions "$root" 2>>"$log" || echo '| |') | $installing | $testing | $counts | $demo |" >>$table
done
cat $table
exit $findings
