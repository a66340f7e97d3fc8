#!/bin/sh
# What ccache takes for the compiler (launch.sh).
set -f
exec "$MORPH_COMPILER" "$@" $MORPH_MORE
