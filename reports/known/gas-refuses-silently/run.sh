#!/bin/sh
# GNU as 2.40: functions that SFrame V1 cannot describe are left out without a warning (x86-64)
# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.
AS=${AS:-x86_64-linux-gnu-as}
READELF=${READELF:-x86_64-linux-gnu-readelf}
for tool in "$AS" "$READELF"; do
  command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; exit 77; }
done
here=$(dirname "$0")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cp "$here"/repro.s "$folder" && cd "$folder" || exit 2

"$AS" --gsframe -o repro.o repro.s 2>said || exit 2
"$READELF" --sframe repro.o >rows || exit 2
cat said
grep -q 'Num FDEs: 0' rows || { echo "no fault: the function has a descriptor"; exit 0; }
if [ ! -s said ]; then
  echo "BUG: no descriptor and no warning"
  exit 1
fi
echo "no fault"
