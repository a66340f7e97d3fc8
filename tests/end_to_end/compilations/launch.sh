#!/bin/sh
# A compiler launcher: ccache, which does not know two options of GCC's that twins have. They are put behind it.
# large_pages.cpp says what is loaded into the compiler.
export LD_PRELOAD="$LARGE_PAGES"
case $1 in *clang*) exec ccache "$@" ;; esac

# Two thirds of what a test costs to compile is GoogleTest's header. The fourth command with the same options precompiles
# it; what does not fit GCC passes by, and the code is the same.
precompile() {
  header=/usr/include/gtest/gtest.h source= before=
  for argument; do
    shift
    case $before in
      -c) source=$argument ;;
      -I | -isystem) if [ -e "$argument/gtest/gtest.h" ]; then return; fi ;;
    esac
    case $before$argument in
      -o* | -MF* | -MT* | -MQ* | -c* | -I* | -isystem* | -MD)
        if [ -z "$before" ]; then case $argument in -o | -MF | -MT | -MQ | -c | -I | -isystem) before=$argument; continue ;; -I*) if [ -e "${argument#-I}/gtest/gtest.h" ]; then return; fi ;; esac; fi
        before= ;;
      -include* | -x* | -E | -M | -MM | -) return ;;
      *) set -- "$@" "$argument" ;;
    esac
  done
  first=
  if [ ! -f "$source" ] || [ ! -f "$header" ]; then return; fi
  while read -r first; do case $first in '#include'*) break ;; esac; done <"$source"
  if [ "$first" != '#include <gtest/gtest.h>' ]; then return; fi
  folder=$CCACHE_DIR/precompiled/$(echo "$*" | cksum | tr ' ' -)
  if [ ! -d "$folder/gtest" ]; then
    mkdir -p "$folder"
    for use in 1 2 3; do if mkdir "$folder/$use" 2>/dev/null; then return; fi; done
    if ! mkdir "$folder/new" 2>/dev/null; then return; fi  # another command is at it
    if ! "$@" -x c++-header "$header" -o "$folder/new/gtest.h.gch" >/dev/null 2>&1; then return; fi
    mv "$folder/new" "$folder/gtest"
  fi
  export CPATH="$folder"
}
precompile "$@"

# Of an object with counters ccache takes the path into account. What Morph adds to a program has none: it is the same
# whatever options of counters stand before those that end them.
without_counters=
case " $* " in *" -fno-profile-arcs "*)
  case " $* " in *" -fno-test-coverage "*) without_counters=yes ;; esac ;;  # apart: they share the blank between them
esac
more=
for argument; do
  shift
  case $without_counters$argument in
    yes-fprofile-arcs|yes-ftest-coverage|yes-fprofile-exclude-files=*|yes-fprofile-update=*) ;;
    -fprofile-exclude-files=*|-fprofile-update=*) more="$more $argument" ;;
    *) set -- "$@" "$argument" ;;
  esac
done
if [ -z "$more" ]; then exec ccache "$@"; fi
export MORPH_COMPILER="$1" MORPH_MORE="$more" CCACHE_COMPILERTYPE=gcc CCACHE_COMPILERCHECK="string:$1$more"
shift
exec ccache "${0%/*}/compile.sh" "$@"
