#!/bin/sh
# wild 0.10.0: functions of all but the first input of a -r link lose their SFrame descriptions (x86-64)
# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.
CC=${CC:-clang-23}
LD=${LD:-wild}
READELF=${READELF:-x86_64-linux-gnu-readelf}
for tool in "$CC" "$LD" "$READELF"; do
  command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; exit 77; }
done
here=$(dirname "$0")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cp "$here"/one.amd64.s "$here"/two.amd64.s "$folder" && cd "$folder" || exit 2

"$CC" --target=x86_64-linux-gnu -c -Wa,--allow-experimental-sframe -Wa,--gsframe -o one.o one.amd64.s || exit 2
"$CC" --target=x86_64-linux-gnu -c -Wa,--allow-experimental-sframe -Wa,--gsframe -o two.o two.amd64.s || exit 2
"$LD" -m elf_x86_64 --wild-experimental-sframe -r -o merged one.o two.o || exit 2
"$LD" -m elf_x86_64 --wild-experimental-sframe --eh-frame-hdr -o by-way merged || exit 2
"$READELF" --sframe by-way >table 2>&1 || exit 2
grep -i -q 'error\|not supported' table && { cat table; exit 2; }
if ! grep -E -q 'Num FDEs: 4' table; then
  cat table
  echo 'BUG: not in what readelf prints: Num FDEs: 4'
  exit 1
fi
echo "no fault"
