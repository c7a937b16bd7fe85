#!/bin/sh
# GNU as 2.47.50.20261021: negative CFA offset that is no multiple of 8 is cut in .eh_frame without a warning (x86-64)
# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.
AS=${AS:-x86_64-linux-gnu-as}
READELF=${READELF:-x86_64-linux-gnu-readelf}
for tool in "$AS" "$READELF"; do
  command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; exit 77; }
done
here=$(dirname "$0")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cp "$here"/repro.s "$folder" && cd "$folder" || exit 2

"$AS" -o repro.o repro.s || exit 2
"$READELF" --debug-dump=frames repro.o >frames || exit 2
grep -q ' FDE ' frames || { echo "no FDE"; exit 2; }
if grep -q 'DW_CFA_def_cfa_offset_sf: -8' frames; then
  echo "BUG: the CFA offset -12 is written as -8"
  exit 1
fi
echo "no fault"
