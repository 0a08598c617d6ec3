#!/bin/sh
# Builds bin/builtin-defaults-1.NN of the given minors, or of all.  Usage: ./build-defaults.sh [1.38 1.37 …]
# 1.38 is 1.38.0-beta.0, which needs Go 1.27.
set -eu
cd "$(dirname "$0")/defaults"
mkdir -p ../bin
[ $# -gt 0 ] || set -- 1.38 1.37 1.36 1.35 1.34 1.33 1.32 1.31 1.30
for minor in "$@"; do
  modfile=versions/$minor/go.mod toolchain=
  case $minor in
    1.37) modfile=go.mod ;;
    1.38) toolchain=go1.27.4 ;;
  esac
  env ${toolchain:+GOTOOLCHAIN="$toolchain"} go build -ldflags='-s -w' -modfile="$modfile" -o "../bin/builtin-defaults-$minor" .
  echo "bin/builtin-defaults-$minor"
done
