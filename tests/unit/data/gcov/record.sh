#!/bin/sh
# usage: record.sh FOLDER VERSION...: what g++-VERSION writes for the programs beside this script, and what its own gcov
# reads there, as FOLDER/gcc-VERSION.tar.gz. In it, for each program and setting: *.gcno, *.gcda, and a *.json for each
# of the latter. gcov_compare_test reads those of compilers that are not where it runs, e.g. with the next Debian in a
# debootstrap: mount or copy this folder into it, then `chroot DEBIAN .../record.sh /tmp 13 14`.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(cd "$1" && pwd)
shift

# Functions of system headers are left out, as they are in a twin; but for one setting, since they are of all shapes.
record() {
  gcc=$1 program=$2 setting=$3
  shift 3
  mkdir -p "$work/$program.$setting/src"
  cd "$work/$program.$setting"
  cp "$here/$program"/* src
  for source in src/*.cpp; do
    unit=$(basename "$source" .cpp)
    "g++-$gcc" -std=c++17 --coverage "$@" -w -c "$source" -o "$unit.o"
  done
  "g++-$gcc" --coverage ./*.o -o program
  ./program >/dev/null
  conditions=
  if [ "$gcc" -ge 14 ]; then conditions=--conditions; fi
  for data in *.gcda; do "gcov-$gcc" -b $conditions --json-format --stdout "$data" >"${data%.gcda}.json"; done
  rm -rf src program ./*.o
}

for gcc in "$@"; do
  work=$(mktemp -d)
  only_ours=-fprofile-exclude-files=/usr/.*
  for program in control_flow several_units branching; do
    record "$gcc" $program O0 -O0 $only_ours
    record "$gcc" $program O2 -O2 $only_ours
  done
  record "$gcc" control_flow atomic -O0 -fprofile-update=atomic
  if [ "$gcc" -ge 14 ]; then
    for level in O0 O2; do
      record "$gcc" conditions $level -$level -fcondition-coverage $only_ours
    done
    record "$gcc" branching conditions -O0 -fcondition-coverage -fprofile-update=atomic $only_ours
  fi
  # Equal inputs give an equal archive, apart from the compiler's own stamps.
  tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$work" -cf - . | gzip -9n >"$folder/gcc-$gcc.tar.gz"
  rm -rf "$work"
done
