#!/bin/sh
# A compiler launcher: ccache, which does not know two options of GCC's that twins have. They are put behind it.
# large_pages.cpp says what is loaded into the compiler.
export LD_PRELOAD="$LARGE_PAGES"
case $1 in *clang*) exec ccache "$@" ;; esac
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
