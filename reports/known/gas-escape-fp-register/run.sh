#!/bin/sh
# GNU as 2.47.50.20261021: DW_CFA_expression of FP in .cfi_escape gives a row that names register 536870911 (x86-64)
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
if grep -q r536870911 rows; then
  echo "BUG: FP counts from register 536870911, expected: (sp-8)"
  exit 1
fi
echo "no fault"
