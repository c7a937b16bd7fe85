#!/bin/sh
# GNU ld 2.44: assertion failure on a row that begins at the function's end (x86-64)
# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.
AS=${AS:-x86_64-linux-gnu-as}
LD=${LD:-x86_64-linux-gnu-ld.bfd}
for tool in "$AS" "$LD"; do
  command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; exit 77; }
done
here=$(dirname "$0")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cp "$here"/repro.s "$folder" && cd "$folder" || exit 2

"$AS" --gsframe -o repro.o repro.s || exit 2
"$LD" --eh-frame-hdr -o repro repro.o >said 2>&1
status=$?
cat said
if [ "$status" -ge 128 ] || grep -F -q Assertion said; then
  echo "BUG: exit status $status"
  exit 1
fi
[ "$status" -eq 0 ] || exit 2
echo "no fault"
