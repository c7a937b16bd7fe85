#!/bin/sh
# GNU ld 2.47.50.20261021: --emit-relocs keeps the relocations of .sframe at the offsets of the unsorted table (x86-64)
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
"$LD" --eh-frame-hdr --emit-relocs --sort-section=name -o sorted two.o one.o || exit 2
"$CHECK" check --format json --static sorted >verdict
[ -s verdict ] || exit 2
if grep -F -q '"rule":"elf/emitted-relocations"' verdict; then
  echo 'BUG: elf/emitted-relocations'
  exit 1
fi
echo "no fault"
