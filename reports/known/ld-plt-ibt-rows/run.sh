#!/bin/sh
# GNU ld 2.40: rows for .plt and .plt.sec of -z ibtplt are those of the plain lazy PLT (x86-64)
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
cp "$here"/use-plt.amd64.s "$folder" && cd "$folder" || exit 2

"$AS" --gsframe -o user.o use-plt.amd64.s || exit 2
"$LD" -shared --eh-frame-hdr -z lazy -z ibtplt -o library user.o || exit 2
"$CHECK" check --format json --entry use_plt library >verdict
[ -s verdict ] || exit 2
if grep -F -q '"rule":"row/cfa-matches-truth"' verdict; then
  echo 'BUG: row/cfa-matches-truth'
  exit 1
fi
echo "no fault"
