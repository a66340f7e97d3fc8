#!/usr/bin/env bash
# Whether compilers that this machine does not have are read as their own gcov reads them: GCC 13 and 14 of Debian 13, 15
# and 16 of the one after it, each release in a debootstrap of its own (needs root; 2 GB in build/bench/compilers).
# compilers.sh [--record] [VERSION...]: runs the runtime's tests with each compiler, then measures a real project and
# compares every test with gcov. --record: first renews tests/unit/data/gcov/gcc-VERSION.tar.gz.
set -euo pipefail
cd "$(dirname "$0")/.."
. benchmarks/lib.sh
. benchmarks/subjects/lib.sh
. benchmarks/subjects/yaml-cpp.sh

if ! command -v debootstrap >/dev/null || [ "$(id -u)" -ne 0 ]; then
  echo "compilers.sh needs debootstrap (apt-get install debootstrap) and root" >&2
  exit 2
fi
record=
if [ "${1:-}" = --record ]; then
  record=1
  shift
fi
versions=("$@")
if [ ${#versions[@]} -eq 0 ]; then versions=(13 14 15 16); fi
here=$PWD
work=$here/build/bench/compilers
raw=$work/raw.json
mkdir -p "$work"
: >"$raw"

release_of() { case $1 in 13 | 14) echo trixie ;; 15 | 16) echo forky ;; *) echo "no release is known that has g++-$1" >&2; return 1 ;; esac; }

# The release with its compilers. GoogleTest is compiled by the oldest of them: the newer ones can link that.
release() {
  local root=$work/$1 oldest
  if [ ! -f "$root/.ready" ]; then
    rm -rf "$root"
    debootstrap --variant=minbase "$1" "$root" http://deb.debian.org/debian /usr/share/debootstrap/scripts/sid
    case $1 in trixie) oldest=13 ;; *) oldest=15 ;; esac
    chroot "$root" apt-get install -y --no-install-recommends "g++-$oldest" "g++-$((oldest + 1))" cmake ninja-build git googletest libgtest-dev libgmock-dev
    chroot "$root" sh -ec "cd /tmp && cp -r /usr/src/googletest/googletest . && cd googletest &&
      g++-$oldest -O2 -I. -Iinclude -c src/gtest-all.cc src/gtest_main.cc && cd /usr/lib/*-linux-gnu && rm -f libgtest*.a &&
      ar rcs libgtest.a /tmp/googletest/gtest-all.o && ar rcs libgtest_main.a /tmp/googletest/gtest_main.o"
    touch "$root/.ready"
  fi >"$work/$1.log" 2>&1
}

# Programs that were built here run there with the libraries that are missing there. The release sees this folder.
mounted=()
leave() { for at in "${mounted[@]}"; do umount "$at"; done; }
trap leave EXIT
enter() {
  local root=$work/$1 library
  if mountpoint -q "$root$here"; then return 0; fi
  mkdir -p "$root$here"
  mount --bind "$here" "$root$here"
  mounted+=("$root$here")
  mount -t proc proc "$root/proc"
  mounted+=("$root/proc")
  for library in $(ldd build/release/tests/unit/morph_unit_tests build/release/bin/morph build/release/benchmarks/morph_exact | awk '$2 == "=>" {print $3}' | sort -u); do
    if [ -z "$(find "$root/usr/lib" "$root/usr/local/lib" -name "$(basename "$library")" -print -quit)" ]; then cp -L "$library" "$root/usr/local/lib"; fi
  done
  chroot "$root" ldconfig
}

cmake --build build/release --target morph_exact morph_unit_tests morph >/dev/null
cmake --install build/release --prefix "$work/prefix" >/dev/null

differs=0
for version in "${versions[@]}"; do
  name=$(release_of "$version")
  release "$name"
  enter "$name"
  inside() { chroot "$work/$name" env MORPH_TEST_COMPILER="g++-$version" HOME=/root "$@"; }
  if [ -n "$record" ]; then inside "$here/tests/unit/data/gcov/record.sh" "$here/tests/unit/data/gcov" "$version"; fi
  compiler=$(inside "g++-$version" --version | head -n 1)

  # Not whether they are C++11: a later GoogleTest is not.
  tests=$work/runtime-$version.log
  inside "$here/build/release/tests/unit/morph_unit_tests" --gtest_filter='Runtime.*:*RuntimeCompiler*:-*strict_cxx11*' >"$tests" 2>&1 || differs=1
  passed=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) tests.*/\1/p' "$tests")
  failed=$(grep -c '^\[  FAILED  \] .*ms)$' "$tests" || true)

  subject=$work/yaml-cpp
  subject_with_morph "$subject"
  build=$subject/build-$version
  inside git config --global --add safe.directory '*'
  inside cmake -S "$subject" -B "$build" -G Ninja "${subject_configure[@]}" -DCMAKE_CXX_COMPILER="g++-$version" -DCMAKE_C_COMPILER="gcc-$version" \
    -DCMAKE_CXX_FLAGS='-include cstdint' -DCMAKE_POLICY_VERSION_MINIMUM=3.5 -DCMAKE_PREFIX_PATH="$work/prefix" -DMORPH_STORE="$build/evidence.db" >"$work/configure-$version.log" 2>&1
  inside "$work/prefix/bin/morph" measure --build "$build" --again -q
  found=$work/exact-$version.json
  inside "$here/build/release/benchmarks/morph_exact" --build "$build" --store "$build/evidence.db" --gcov "gcov-$version" --every 10 >"$found" || differs=1
  jq -c --arg compiler "$compiler" --argjson passed "$passed" --argjson failed "$failed" \
    '{compiler: $compiler, runtime_tests: $passed, runtime_tests_failed: $failed} + .' "$found" | tee -a "$raw"
done

echo
jq -c -s --argjson conditions "$(conditions)" --arg raw "${raw#"$PWD/"}" \
  '{bench: "compilers",
    figures: ({compilers_tests: (map(.tests) | add), compilers_identical: (map(.identical) | add)} +
              ([.[] | to_entries[] | select(.key | IN("compiler", "tests", "identical") or endswith("per_test") | not)] |
               group_by(.key) | map({(.[0].key): (map(.value) | add)}) | add)),
    conditions: ($conditions + {compilers: map(.compiler)}),
    raw: $raw}' "$raw"
exit $differs
