#!/bin/sh
# GNU ld 2.44: -r merges tables, but leaves relocations of later inputs at the offsets of unmerged ones (x86-64)
# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.
AS=${AS:-x86_64-linux-gnu-as}
LD=${LD:-x86_64-linux-gnu-ld.bfd}
CHECK=${CHECK:-sframe-conformance}
for tool in "$AS" "$CHECK" "$LD"; do
  command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; exit 77; }
done
here=$(dirname "$0")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cp "$here"/one.amd64.s "$here"/two.amd64.s "$folder" && cd "$folder" || exit 2

"$AS" --gsframe -o one.o one.amd64.s || exit 2
"$AS" --gsframe -o two.o two.amd64.s || exit 2
"$LD" -r -o merged one.o two.o || exit 2
"$CHECK" check --format json --static merged >verdict
[ -s verdict ] || exit 2
if grep -F -q '"rule":"elf/relocation-per-function"' verdict; then
  echo 'BUG: elf/relocation-per-function'
  exit 1
fi
echo "no fault"
