#!/bin/sh
# clang 23.1.4: .cfi_offset of the return address is ignored in .sframe (x86-64)
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

"$CC" --target=x86_64-linux-gnu -c -Wa,--allow-experimental-sframe -Wa,--gsframe -o repro.o repro.s || exit 2
"$READELF" --sframe repro.o >rows || exit 2
grep -q "Version: SFRAME_VERSION" rows || { echo "readelf cannot read the table"; exit 2; }
cell=$(awk -v pc=0000000000000000 '$1 ~ /^[0-9a-f]+$/ && length($1) == 16 && "x" $1 <= "x" pc { cell = $4 }
  END { print cell }' rows)
if [ "$cell" = f ]; then
  echo "BUG: RA at 0x0 is $cell, expected: no row"
  exit 1
fi
echo "no fault: RA at 0x0 is ${cell:-not described}"
