#!/bin/sh
# LLVM lld 23.1.4: inputs' .sframe tables are put one behind the other, and no reader finds the later ones (x86-64)
# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.
AS=${AS:-x86_64-linux-gnu-as}
LD=${LD:-ld.lld-23}
READELF=${READELF:-x86_64-linux-gnu-readelf}
for tool in "$AS" "$LD" "$READELF"; do
  command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; exit 77; }
done
here=$(dirname "$0")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cp "$here"/one.amd64.s "$here"/two.amd64.s "$folder" && cd "$folder" || exit 2

"$AS" --gsframe -o one.o one.amd64.s || exit 2
"$AS" --gsframe -o two.o two.amd64.s || exit 2
"$LD" --eh-frame-hdr -o out one.o two.o || exit 2
"$READELF" --sframe out >table 2>&1 || exit 2
grep -i -q 'error\|not supported' table && { cat table; exit 2; }
if ! grep -E -q 'Num FDEs: 2' table; then
  cat table
  echo 'BUG: not in what readelf prints: Num FDEs: 2'
  exit 1
fi
echo "no fault"
