#!/bin/sh
# GNU as 2.47.50.20261021: internal error where .cfi_startproc simple is followed by a register's rule before .cfi_def_cfa (x86-64)
# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.
AS=${AS:-x86_64-linux-gnu-as}
for tool in "$AS"; do
  command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; exit 77; }
done
here=$(dirname "$0")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cp "$here"/repro.s "$folder" && cd "$folder" || exit 2

"$AS" --gsframe -o repro.o repro.s >said 2>&1
status=$?
cat said
if [ "$status" -ge 128 ] || grep -F -q 'Internal error' said; then
  echo "BUG: exit status $status"
  exit 1
fi
[ "$status" -eq 0 ] || exit 2
echo "no fault"
