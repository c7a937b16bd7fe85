#!/bin/sh
# clang 22.1.8: a copy of a register stands between the push of an argument and its .cfi_adjust_cfa_offset (x86-64)
# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.
CC=${CC:-clang-22}
LD=${LD:-ld.lld-22}
CHECK=${CHECK:-sframe-conformance}
for tool in "$CC" "$CHECK" "$LD"; do
  command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; exit 77; }
done
here=$(dirname "$0")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cp "$here"/repro.c "$here"/start.amd64.s "$folder" && cd "$folder" || exit 2

"$CC" -c -fasynchronous-unwind-tables --target=x86_64-linux-gnu -Wa,--allow-experimental-sframe -Wa,--gsframe -O2 -o repro.o repro.c || exit 2
"$CC" --target=x86_64-linux-gnu -march=x86-64 -mtune=generic -fcf-protection=none -Qunused-arguments -c -o start.amd64.o start.amd64.s || exit 2
"$LD" --eh-frame-hdr -o repro repro.o start.amd64.o || exit 2
"$CHECK" check --format json repro >verdict
[ -s verdict ] || exit 2
if grep -F -q '"rule":"row/cfa-matches-truth"' verdict; then
  echo 'BUG: row/cfa-matches-truth'
  exit 1
fi
echo "no fault"
