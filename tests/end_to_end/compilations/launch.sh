#!/bin/sh
# A compiler launcher: ccache, which does not know two options of GCC's that twins have. They are put behind it.
case $1 in *clang*) exec ccache "$@" ;; esac
more=
for argument; do
  shift
  case $argument in
    -fprofile-exclude-files=*|-fprofile-update=*) more="$more $argument" ;;
    *) set -- "$@" "$argument" ;;
  esac
done
if [ -z "$more" ]; then exec ccache "$@"; fi
export MORPH_COMPILER="$1" MORPH_MORE="$more" CCACHE_COMPILERTYPE=gcc CCACHE_COMPILERCHECK="string:$1$more"
shift
exec ccache "${0%/*}/compile.sh" "$@"
