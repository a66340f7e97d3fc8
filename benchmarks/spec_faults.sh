#!/usr/bin/env bash
# How many faults planted in code its relations notice, which relation notices how many, and how many it alone.
# spec_faults.sh [intervals | zlib] [--sample N]: of examples/intervals (default), or of Debian's zlib behind examples/codec
set -euo pipefail
cd "$(dirname "$0")/.."
. benchmarks/subjects/lib.sh

what=intervals
case ${1:-} in
  intervals | zlib) what=$1; shift ;;
esac
work=$PWD/build/bench/spec_faults
folder=$work/$what
libraries="$PWD/build/release/plugin/spec/libmorph_spec_main.a $PWD/build/release/plugin/spec/libmorph_spec.a"
rm -rf "$folder"
mkdir -p "$work"
cmake --build build/release --target morph_spec_main >/dev/null
planted() { exec python3 benchmarks/spec_faults.py --folder "$folder" --run './program --json --no-shrink' "$@"; }

if [ "$what" = intervals ]; then
  cp -r examples/intervals "$folder"
  g++ -std=c++20 -O1 -Iplugin/include -c "$folder/intervals.spec.cpp" -o "$folder/intervals.spec.o"
  planted --sources interval_set.cpp \
    --build "g++ -std=c++20 -O0 {flags} interval_set.cpp intervals.spec.o $libraries -pthread -o program" "$@"
fi
subject_package=zlib
subject_get "$work/zlib-source"
cp -r "$work/zlib-source" "$folder"
for file in codec.spec codec; do
  g++ -std=c++20 -O1 -Iplugin/include -Iexamples/codec -I"$folder" -c "examples/codec/$file.cpp" -o "$folder/$file.o"
done
rm "$folder"/gz*.c
planted --sources '*.c' \
  --build "gcc -O0 -w -DHAVE_UNISTD_H {flags} -c *.c && g++ {flags} *.o $libraries -pthread -o program" "$@"
