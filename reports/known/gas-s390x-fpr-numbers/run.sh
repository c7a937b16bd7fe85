#!/bin/sh
# GNU as 2.44: %f2 in .cfi_register is written as the DWARF number of %f4 (s390x)
# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.
AS=${AS:-s390x-linux-gnu-as}
READELF=${READELF:-s390x-linux-gnu-readelf}
for tool in "$AS" "$READELF"; do
  command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; exit 77; }
done
here=$(dirname "$0")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cp "$here"/repro.s "$folder" && cd "$folder" || exit 2

"$AS" -march=z13 -o repro.o repro.s || exit 2
"$READELF" --debug-dump=frames repro.o >frames || exit 2
grep -q ' FDE ' frames || { echo "no FDE"; exit 2; }
if grep -q 'DW_CFA_register: r14 in r18' frames; then
  echo "BUG: r14 is said to be in r18, which is f4; f2 is r17"
  exit 1
fi
echo "no fault"
