#!/bin/sh
# clang 23.1.4: .cfi_adjust_cfa_offset after .cfi_restore_state counts from the offset before it in .eh_frame (x86-64)
# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.
CC=${CC:-clang-23}
READELF=${READELF:-x86_64-linux-gnu-readelf}
for tool in "$CC" "$READELF"; do
  command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; exit 77; }
done
here=$(dirname "$0")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cp "$here"/repro.s "$folder" && cd "$folder" || exit 2

"$CC" --target=x86_64-linux-gnu -c -o repro.o repro.s || exit 2
"$READELF" --debug-dump=frames repro.o >frames || exit 2
grep -q ' FDE ' frames || { echo "no FDE"; exit 2; }
if grep -q 'DW_CFA_def_cfa_offset: 24' frames; then
  echo "BUG: the CFA offset is 24, expected: 16"
  exit 1
fi
echo "no fault"
