#!/bin/sh
# GCC 16.2.0: the rule of rbp in a realigned frame still reads through rbp behind pop %rbp (x86-64)
# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.
CC=${CC:-x86_64-linux-gnu-gcc-16}
AS=${AS:-x86_64-linux-gnu-as}
LD=${LD:-x86_64-linux-gnu-ld.bfd}
CHECK=${CHECK:-sframe-conformance}
for tool in "$AS" "$CC" "$CHECK" "$LD"; do
  command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; exit 77; }
done
here=$(dirname "$0")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cp "$here"/repro.c "$here"/start.amd64.s "$folder" && cd "$folder" || exit 2

"$CC" -S -fasynchronous-unwind-tables -o repro.s repro.c || exit 2
"$AS" --gsframe -o repro.o repro.s || exit 2
"$AS" --gsframe -o start.amd64.o start.amd64.s || exit 2
"$LD" --eh-frame-hdr -o repro repro.o start.amd64.o || exit 2
"$CHECK" check --format json repro >verdict
[ -s verdict ] || exit 2
if grep -F -q '"rule":"row/fp-matches-truth"' verdict; then
  echo 'BUG: row/fp-matches-truth'
  exit 1
fi
echo "no fault"
