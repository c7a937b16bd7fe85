#!/bin/sh
# clang 23.1.4: two states remembered before the first .sframe row end the assembler (x86-64)
# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.
CC=${CC:-clang-23}
for tool in "$CC"; do
  command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; exit 77; }
done
here=$(dirname "$0")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cp "$here"/repro.s "$folder" && cd "$folder" || exit 2

"$CC" --target=x86_64-linux-gnu -c -Wa,--allow-experimental-sframe -Wa,--gsframe -o repro.o repro.s >said 2>&1
status=$?
cat said
if [ "$status" -ge 128 ] || grep -q -F -e 'error in backend' -e 'PLEASE submit a bug report' said; then
  echo "BUG: exit status $status"
  exit 1
fi
[ "$status" -eq 0 ] || exit 2
echo "no fault"
