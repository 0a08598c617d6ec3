#!/bin/sh
# Builds bin/builtin-types-1.NN of the given minors, or of all, and writes bin/table-1.NN.json with it.  Usage: ./build.sh [1.38 1.37 …]
# 1.38 is 1.38.0-beta.0, which needs Go 1.27.
set -eu
cd "$(dirname "$0")"
mkdir -p bin
[ $# -gt 0 ] || set -- 1.38 1.37 1.36 1.35 1.34 1.33 1.32 1.31 1.30
run() { env ${toolchain:+GOTOOLCHAIN="$toolchain"} go "$@"; }
for minor in "$@"; do
  modfile=versions/$minor/go.mod toolchain=
  case $minor in
    1.37) modfile=go.mod ;;
    1.38) toolchain=go1.27.4 ;;
  esac
  run build -ldflags='-s -w' -modfile="$modfile" -o "bin/builtin-types-$minor" .
  CLIENT_GO=$(run list -m -modfile="$modfile" -f '{{.Dir}}' k8s.io/client-go) "bin/builtin-types-$minor" table > "bin/table-$minor.json"
  echo "bin/table-$minor.json"
done
