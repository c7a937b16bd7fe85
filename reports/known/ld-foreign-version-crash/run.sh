#!/bin/sh
# GNU ld 2.44: aarch64linuxb: segmentation fault on an input with .sframe of version 1 (AArch64 big-endian)
# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.
OTHER_AS=${OTHER_AS:-aarch64-linux-gnu-as-2.40}
LD=${LD:-aarch64-linux-gnu-ld.bfd}
for tool in "$LD" "$OTHER_AS"; do
  command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; exit 77; }
done
here=$(dirname "$0")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cp "$here"/two.aarch64.s "$folder" && cd "$folder" || exit 2

"$OTHER_AS" -EB -march=armv8.3-a --gsframe -o two.o two.aarch64.s || exit 2
"$LD" -EB -m aarch64linuxb --eh-frame-hdr -o out two.o >said 2>&1
status=$?
cat said
if [ "$status" -ge 128 ]; then
  echo "BUG: exit status $status"
  exit 1
fi
[ "$status" -eq 0 ] || exit 2
echo "no fault"
