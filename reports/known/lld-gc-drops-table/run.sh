#!/bin/sh
# LLVM lld 23.1.4: --gc-sections throws the whole .sframe section away (x86-64)
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
cp "$here"/main.amd64.s "$here"/split.amd64.s "$folder" && cd "$folder" || exit 2

"$AS" --gsframe -o main.o main.amd64.s || exit 2
"$AS" --gsframe -o one.o split.amd64.s || exit 2
"$LD" --eh-frame-hdr --gc-sections -o collected main.o one.o || exit 2
"$READELF" --sframe collected >table 2>&1 || exit 2
grep -i -q 'error\|not supported' table && { cat table; exit 2; }
if ! grep -E -q 'Num FDEs: 1' table; then
  cat table
  echo 'BUG: not in what readelf prints: Num FDEs: 1'
  exit 1
fi
echo "no fault"
