#!/bin/sh
# GCC 12.2.0: epilogue of a frame above 504 bytes: CFA = x29+N is kept behind the ldp that brings x29 back (AArch64)
# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.
CC=${CC:-aarch64-linux-gnu-gcc-12}
AS=${AS:-aarch64-linux-gnu-as}
LD=${LD:-aarch64-linux-gnu-ld.bfd}
CHECK=${CHECK:-sframe-conformance}
for tool in "$AS" "$CC" "$CHECK" "$LD"; do
  command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; exit 77; }
done
here=$(dirname "$0")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cp "$here"/repro.c "$here"/start.aarch64.s "$folder" && cd "$folder" || exit 2

"$CC" -S -fasynchronous-unwind-tables -o repro.s repro.c || exit 2
"$AS" -march=armv8.3-a --gsframe -o repro.o repro.s || exit 2
"$AS" -march=armv8.3-a --gsframe -o start.aarch64.o start.aarch64.s || exit 2
"$LD" --eh-frame-hdr -o repro repro.o start.aarch64.o || exit 2
"$CHECK" check --format json repro >verdict
[ -s verdict ] || exit 2
if grep -F -q '"rule":"row/cfa-matches-truth"' verdict; then
  echo 'BUG: row/cfa-matches-truth'
  exit 1
fi
echo "no fault"
