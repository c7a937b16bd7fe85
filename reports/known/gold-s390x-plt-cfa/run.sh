#!/bin/sh
# GNU gold 1.16: .eh_frame of the s390x PLT has CFA offset 32 for 160: its ULEB128 is cut (s390x)
# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.
AS=${AS:-s390x-linux-gnu-as}
LD=${LD:-s390x-linux-gnu-ld.gold}
CHECK=${CHECK:-sframe-conformance}
for tool in "$AS" "$CHECK" "$LD"; do
  command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; exit 77; }
done
here=$(dirname "$0")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cp "$here"/use-plt.s390x.s "$folder" && cd "$folder" || exit 2

"$AS" -march=z13 --gsframe -o user.o use-plt.s390x.s || exit 2
"$LD" -shared --eh-frame-hdr -o library user.o || exit 2
"$CHECK" check --format json --entry use_plt library >verdict
[ -s verdict ] || exit 2
if grep -F -q '"rule":"eh-frame/cfa-matches-truth"' verdict; then
  echo 'BUG: eh-frame/cfa-matches-truth'
  exit 1
fi
echo "no fault"
