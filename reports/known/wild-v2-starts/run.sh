#!/bin/sh
# wild 0.10.0: --wild-experimental-sframe leaves V2 start fields relative to the field where the header says relative to the section (x86-64)
# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.
AS=${AS:-x86_64-linux-gnu-as}
LD=${LD:-wild}
CHECK=${CHECK:-sframe-conformance}
for tool in "$AS" "$CHECK" "$LD"; do
  command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; exit 77; }
done
here=$(dirname "$0")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cp "$here"/one.amd64.s "$folder" && cd "$folder" || exit 2

"$AS" --gsframe -o one.o one.amd64.s || exit 2
"$LD" -m elf_x86_64 --wild-experimental-sframe --eh-frame-hdr -o back one.o || exit 2
"$CHECK" check --format json back >verdict
[ -s verdict ] || exit 2
if grep -F -q '"rule":"elf/function-in-code"' verdict; then
  echo 'BUG: elf/function-in-code'
  exit 1
fi
echo "no fault"
