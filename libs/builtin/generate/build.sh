#!/bin/sh
# Builds bin/builtin-types-1.NN of the given minors, or of all, and writes bin/table-1.NN.json with it.  Usage: ./build.sh [1.37 1.36 …]
set -eu
cd "$(dirname "$0")"
mkdir -p bin
[ $# -gt 0 ] || set -- 1.37 1.36 1.35 1.34 1.33 1.32 1.31 1.30
for minor in "$@"; do
  modfile=versions/$minor/go.mod
  [ "$minor" != 1.37 ] || modfile=go.mod
  go build -ldflags='-s -w' -modfile="$modfile" -o "bin/builtin-types-$minor" .
  CLIENT_GO=$(go list -m -modfile="$modfile" -f '{{.Dir}}' k8s.io/client-go) "bin/builtin-types-$minor" table > "bin/table-$minor.json"
  echo "bin/table-$minor.json"
done
