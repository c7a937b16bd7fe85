#!/bin/sh
# LLVM lld 22.1.8: no PT_GNU_SFRAME program header for .sframe (x86-64)
# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.
CC=${CC:-clang-22}
LD=${LD:-ld.lld-22}
READELF=${READELF:-x86_64-linux-gnu-readelf}
for tool in "$CC" "$LD" "$READELF"; do
  command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; exit 77; }
done
here=$(dirname "$0")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cp "$here"/repro.s "$folder" && cd "$folder" || exit 2

"$CC" --target=x86_64-linux-gnu -march=x86-64 -mtune=generic -fcf-protection=none -Qunused-arguments -c -Wa,--allow-experimental-sframe -Wa,--gsframe -o repro.o repro.s || exit 2
"$LD" -o repro repro.o || exit 2
"$READELF" -S -l -W repro >headers || exit 2
grep -q '[.]sframe' headers || { echo "no .sframe"; exit 2; }
if ! grep -q '^ *GNU_SFRAME' headers; then
  echo "BUG: no PT_GNU_SFRAME"
  exit 1
fi
echo "no fault"
