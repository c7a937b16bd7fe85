#!/bin/sh
# GNU ld 2.47.50.20261021: inputs whose fixed FP offsets differ are merged, and rows change their meaning without a word (x86-64)
# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.
AS=${AS:-x86_64-linux-gnu-as}
LD=${LD:-x86_64-linux-gnu-ld.bfd}
READELF=${READELF:-x86_64-linux-gnu-readelf}
for tool in "$AS" "$LD" "$READELF"; do
  command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; exit 77; }
done
here=$(dirname "$0")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cp "$here"/hand.amd64.s "$here"/one.amd64.s "$folder" && cd "$folder" || exit 2

"$AS" --defsym FIXED_FP=-16 --defsym SFRAME_VERSION=3 --defsym SFRAME_PCREL=1 -o hand.o hand.amd64.s || exit 2
"$AS" --gsframe -o one.o one.amd64.s || exit 2
"$LD" --eh-frame-hdr -o out one.o hand.o >said 2>&1 || { cat said; echo "no fault: refused"; exit 0; }
grep -i -q sframe said && { cat said; echo "no fault: told"; exit 0; }
"$READELF" --sframe out >table 2>&1 || exit 2
grep -i -q 'error\|not supported' table && { cat table; exit 2; }
if ! grep -E -q c-16 table; then
  cat table
  echo 'BUG: not in what readelf prints: c-16'
  exit 1
fi
echo "no fault"
