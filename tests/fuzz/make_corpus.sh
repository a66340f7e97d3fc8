#!/bin/sh
# usage: make_corpus.sh SOURCE_DIR FOLDER COMPILER...: seeds of the fuzzers by each compiler that is there.
set -eu
source_dir=$1
folder=$2
shift 2
runtime=$source_dir/plugin/runtime
rm -rf "$folder"
mkdir -p "$folder/note" "$folder/data" "$folder/counts" "$folder/stream" "$folder/table" "$folder/object" "$folder/archive" "$folder/work"
cd "$folder/work"

# Four bytes, low one first.
word() {
  printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $(($1 & 255)) $(($1 >> 8 & 255)) $(($1 >> 16 & 255)) $(($1 >> 24 & 255)))"
}

for compiler in "$@"; do
  command -v "$compiler" >/dev/null || continue
  # As the CMake module has them for the twin.
  case $compiler in
    *clang*) name=clang flags="-Xclang -coverage-version=A93L -include $runtime/morph_clang_arcs.h" ;;
    *) name=gcc flags= ;;
  esac
  name=$name-$("$compiler" -dumpversion | cut -d. -f1)
  if [ -f "$folder/note/$name" ]; then continue; fi
  rm -f ./*
  # shellcheck disable=SC2086  # several options
  "$compiler" -O0 --coverage $flags -g1 -gdwarf-4 -c "$source_dir/tests/fuzz/seed.cpp" -o seed.o
  cp seed.o "$folder/table/$name"
  "$compiler" -std=c++11 -I "$source_dir/coverage/gcov" -c "$runtime/morph_capture.cpp" "$runtime/morph_counters.cpp" \
    "$runtime/morph_environment.cpp" "$runtime/morph_process.cpp" "$runtime/morph_snapshot.cpp" "$runtime/morph_shared.cpp"
  "$compiler" --coverage ./*.o -pthread -ldl -o seed
  if [ -n "$flags" ]; then
    # The file is written by Clang's own library, the stream by what takes its place.
    "$compiler" --coverage seed.o -o seed && ./seed
    "$compiler" -std=c++11 -c "$runtime/morph_llvm.cpp"
    "$compiler" --coverage ./*.o -pthread -ldl -o seed
  else
    ./seed
  fi
  # The runtime refuses versions that it does not know.
  MORPH_COVERAGE_FD=3 MORPH_COVERAGE_TEST=seed ./seed 3>"$folder/stream/$name" || rm "$folder/stream/$name"
  cp seed.gcno "$folder/note/$name"
  cp seed.gcda "$folder/data/$name"
  { word "$(wc -c <seed.gcno)"; cat seed.gcno seed.gcda; } >"$folder/counts/$name"
done

# Short ones, in which every mutation matters.
object() {
  name=$1
  shift
  command -v "$1" >/dev/null || return 0
  "$@" -c "$source_dir/tests/fuzz/seed.cpp" -o "$folder/object/$name"
  ar crs "$folder/archive/$name" "$folder/object/$name"
}
object gcc g++ -O0
object clang clang++-19 -O2 -ffunction-sections
object aarch64 clang++-19 -O1 --target=aarch64-linux-gnu

# Conditions, which the compilers that are here may not have.
tar -xzf "$source_dir/tests/unit/data/gcov/gcc-14.tar.gz" ./conditions.O0
cp conditions.O0/main.gcno "$folder/note/conditions"
cp conditions.O0/main.gcda "$folder/data/conditions"
{ word "$(wc -c <conditions.O0/main.gcno)"; cat conditions.O0/main.gcno conditions.O0/main.gcda; } >"$folder/counts/conditions"
