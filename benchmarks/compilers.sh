#!/usr/bin/env bash
# Whether compilers that this machine does not have are read as their own gcov reads them: GCC 13 and 14 of Debian 13, 15
# and 16 of the one after it, Clang 15, 17, 18 and 20 of Ubuntu 24.04, each release in a debootstrap of its own (needs root;
# 5 GB in build/bench/compilers).
# compilers.sh [--record] [VERSION...], such as 14 or clang-18: runs the runtime's tests with each compiler. With GCC then
# measures a real project and compares every 10th test with gcov; with Clang compares programs with llvm-cov, and measures a
# small project through it. --record: first renews tests/unit/data/gcov/gcc-VERSION.tar.gz.
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
if [ ${#versions[@]} -eq 0 ]; then versions=(13 14 15 16 clang-15 clang-17 clang-18 clang-20); fi
here=$PWD
work=$here/build/bench/compilers
raw=$work/raw.json
mkdir -p "$work"
: >"$raw"

release_of() { case $1 in 13 | 14) echo trixie ;; 15 | 16) echo forky ;; clang-1[578] | clang-20) echo noble ;; *) echo "no release is known that has version $1" >&2; return 1 ;; esac; }

# The release with its compilers. GoogleTest is compiled by the oldest GCC of them: the newer ones can link that.
release() {
  local root=$work/$1 oldest script check
  if [ -f "$root/.ready" ]; then return; fi
  rm -rf "$root"
  if [ "$1" = noble ]; then
    script=/usr/share/debootstrap/scripts/noble
    if [ ! -e "$script" ]; then script=/usr/share/debootstrap/scripts/gutsy; fi
    check=--keyring=/usr/share/keyrings/ubuntu-archive-keyring.gpg
    if [ ! -e "${check#*=}" ]; then check=--no-check-gpg; fi  # Debian 12 has none
    debootstrap --variant=minbase "$check" --components=main,universe noble "$root" http://archive.ubuntu.com/ubuntu "$script"
    echo "deb http://archive.ubuntu.com/ubuntu noble-updates main universe" >>"$root/etc/apt/sources.list"
    chroot "$root" apt-get update
    chroot "$root" apt-get install -y --no-install-recommends g++ {clang,llvm}-{15,17,18,20} libclang-rt-{15,17,18,20}-dev cmake ninja-build git libgtest-dev libgmock-dev
  else
    debootstrap --variant=minbase "$1" "$root" http://deb.debian.org/debian /usr/share/debootstrap/scripts/sid
    case $1 in trixie) oldest=13 ;; *) oldest=15 ;; esac
    chroot "$root" apt-get install -y --no-install-recommends "g++-$oldest" "g++-$((oldest + 1))" cmake ninja-build git googletest libgtest-dev libgmock-dev
    chroot "$root" sh -ec "cd /tmp && cp -r /usr/src/googletest/googletest . && cd googletest &&
      g++-$oldest -O2 -I. -Iinclude -c src/gtest-all.cc src/gtest_main.cc && cd /usr/lib/*-linux-gnu && rm -f libgtest*.a &&
      ar rcs libgtest.a /tmp/googletest/gtest-all.o && ar rcs libgtest_main.a /tmp/googletest/gtest_main.o"
  fi
  touch "$root/.ready"
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
  for library in $(ldd build/release/tests/unit/morph_runtime_tests build/release/tests/end_to_end/morph_end_to_end_tests build/release/bin/morph build/release/benchmarks/morph_exact | awk '$2 == "=>" {print $3}' | sort -u); do
    if [ -z "$(find "$root/usr/lib" "$root/usr/local/lib" -name "$(basename "$library")" -print -quit)" ]; then cp -L "$library" "$root/usr/local/lib"; fi
  done
  chroot "$root" ldconfig
}

cmake --build build/release --target morph_exact morph_runtime_tests morph_end_to_end_tests morph >/dev/null
for prefix in "$work/prefix" build/release/tests/end_to_end/prefix; do cmake --install build/release --prefix "$prefix" >/dev/null; done

# tests NAME PROGRAM FILTER: prints how many passed and how many failed.
tests() {
  local log=$work/$1-$version.log passed
  inside "$here/build/release/tests/$2" --gtest_filter="$3" >"$log" 2>&1 || true
  passed=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) tests\?\.$/\1/p' "$log")
  if [ -z "$passed" ]; then echo "$2 has not come to its end: $log" >&2; fi
  echo "${passed:-0} $(grep -c '^\[  FAILED  \] .*ms)$' "$log" || true)"
}

differs=0
for version in "${versions[@]}"; do
  name=$(release_of "$version")
  release "$name" >"$work/$name.log" 2>&1
  enter "$name"
  cxx=g++-$version
  case $version in clang-*) cxx=clang++-${version#clang-} ;; esac
  inside() { chroot "$work/$name" env MORPH_TEST_COMPILER="/usr/bin/$cxx" HOME=/root "$@"; }
  if [ -n "$record" ] && [ "$cxx" = "g++-$version" ]; then inside "$here/tests/unit/data/gcov/record.sh" "$here/tests/unit/data/gcov" "$version"; fi
  compiler=$(inside "$cxx" --version | head -n 1)

  # Not whether they are C++11: a later GoogleTest is not. Clang 20 is measured through llvm-cov alone.
  passed=0 failed=0
  if [ "$version" != clang-20 ]; then
    read -r passed failed < <(tests runtime unit/morph_runtime_tests 'Runtime.*:*RuntimeCompiler*:*clang_version*:-*strict_cxx11*')
  fi
  if [ "$cxx" != "g++-$version" ]; then
    read -r of_files of_files_failed < <(tests counter_files end_to_end/morph_end_to_end_tests 'counter_file*')
    if [ "$failed$of_files_failed" != 00 ]; then differs=1; fi
    jq -c -n --arg compiler "$compiler" --argjson passed "$passed" --argjson failed "$failed" --argjson files "$of_files" --argjson files_failed "$of_files_failed" \
      '{$compiler, runtime_tests: $passed, runtime_tests_failed: $failed, counter_file_tests: $files, counter_file_tests_failed: $files_failed}' | tee -a "$raw"
    continue
  fi
  if [ "$failed" != 0 ]; then differs=1; fi

  subject=$work/yaml-cpp
  subject_with_morph "$subject"
  build=$subject/build-$version
  inside git config --global --add safe.directory '*'
  inside cmake -S "$subject" -B "$build" -G Ninja -DMORPH_EVIDENCE=twin "${subject_configure[@]}" -DCMAKE_CXX_COMPILER="g++-$version" -DCMAKE_C_COMPILER="gcc-$version" \
    -DCMAKE_CXX_FLAGS='-include cstdint' -DCMAKE_POLICY_VERSION_MINIMUM=3.5 -DCMAKE_PREFIX_PATH="$work/prefix" -DMORPH_STORE="$build/evidence.db" >"$work/configure-$version.log" 2>&1
  inside "$work/prefix/bin/morph" measure --build "$build" --fresh -q
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
