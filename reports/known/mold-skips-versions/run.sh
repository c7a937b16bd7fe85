#!/bin/sh
# mold 3.0.0: tables of SFrame versions other than 3 are dropped without a word (x86-64)
# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.
AS=${AS:-x86_64-linux-gnu-as}
OTHER_AS=${OTHER_AS:-x86_64-linux-gnu-as-2.40}
LD=${LD:-mold}
READELF=${READELF:-x86_64-linux-gnu-readelf}
for tool in "$AS" "$LD" "$OTHER_AS" "$READELF"; do
  command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; exit 77; }
done
here=$(dirname "$0")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cp "$here"/one.amd64.s "$here"/two.amd64.s "$folder" && cd "$folder" || exit 2

"$AS" --gsframe -o one.o one.amd64.s || exit 2
"$OTHER_AS" --gsframe -o two.o two.amd64.s || exit 2
"$LD" -m elf_x86_64 --eh-frame-hdr -o own-first one.o two.o >said 2>&1 || { cat said; echo "no fault: refused"; exit 0; }
grep -i -q sframe said && { cat said; echo "no fault: told"; exit 0; }
"$READELF" --sframe own-first >table 2>&1 || exit 2
grep -i -q 'error\|not supported' table && { cat table; exit 2; }
if ! grep -E -q 'Num FDEs: 4' table; then
  cat table
  echo 'BUG: not in what readelf prints: Num FDEs: 4'
  exit 1
fi
echo "no fault"
