#!/bin/sh
# LLVM lld 23.1.4: link refused where two objects have the same COMDAT function described by .sframe (x86-64)
# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.
AS=${AS:-x86_64-linux-gnu-as}
LD=${LD:-ld.lld-23}
for tool in "$AS" "$LD"; do
  command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; exit 77; }
done
here=$(dirname "$0")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cp "$here"/comdat.amd64.s "$folder" && cd "$folder" || exit 2

"$AS" --gsframe -o one.o comdat.amd64.s || exit 2
"$AS" --gsframe -o two.o comdat.amd64.s || exit 2
"$LD" --eh-frame-hdr -o out one.o two.o >said 2>&1
status=$?
cat said
if [ "$status" -ge 128 ] || grep -F -q 'relocation refers to a discarded section' said; then
  echo "BUG: exit status $status"
  exit 1
fi
[ "$status" -eq 0 ] || exit 2
echo "no fault"
