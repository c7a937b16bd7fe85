#!/bin/sh
# clang 23.1.4: no CFI in epilogues: the CFA still counts from the frame at br %r14 (s390x)
# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.
CC=${CC:-clang-23}
AS=${AS:-s390x-linux-gnu-as}
LD=${LD:-s390x-linux-gnu-ld.bfd}
CHECK=${CHECK:-sframe-conformance}
for tool in "$AS" "$CC" "$CHECK" "$LD"; do
  command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; exit 77; }
done
here=$(dirname "$0")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cp "$here"/repro.c "$here"/start.s390x.s "$folder" && cd "$folder" || exit 2

"$CC" -S -fno-integrated-as -fasynchronous-unwind-tables --target=s390x-linux-gnu -O2 -o repro.s repro.c || exit 2
"$AS" -march=z13 --gsframe -o repro.o repro.s || exit 2
"$AS" -march=z13 --gsframe -o start.s390x.o start.s390x.s || exit 2
"$LD" --eh-frame-hdr -o repro repro.o start.s390x.o || exit 2
"$CHECK" check --format json repro >verdict
[ -s verdict ] || exit 2
if grep -F -q '"rule":"row/cfa-matches-truth"' verdict; then
  echo 'BUG: row/cfa-matches-truth'
  exit 1
fi
echo "no fault"
