#!/bin/sh
# GNU as 2.47.50.20261021: offset of the return address that takes 2 bytes is cut to 1 (x86-64)
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

"$AS" --gsframe -o repro.o repro.s || exit 2
"$READELF" --sframe repro.o >rows || exit 2
cell=$(awk -v pc=0000000000000000 '$1 ~ /^[0-9a-f]+$/ && length($1) == 16 && "x" $1 <= "x" pc { cell = $4 }
  END { print cell }' rows)
if [ "$cell" = c+120 ]; then
  echo "BUG: RA at 0x0 is $cell, expected:" c-136
  exit 1
fi
echo "no fault: RA at 0x0 is ${cell:-not described}"
