#!/bin/sh
# An assembler that crashes on `one` before `two`; differently on `two` alone; on `two` without `base` even without .sframe. So the least
# text has these three. FIXED: it does not. SLOWLY: a command that it executes first.
case "$1" in --version) echo "fake 9.1"; exit 0 ;; esac
sframe= out= in=
while [ $# -gt 0 ]; do
  case "$1" in --gsframe) sframe=1 ;; -o) shift; out=$1 ;; *) in=$1 ;; esac
  shift
done
eval "$SLOWLY"
base= one= two=
while read -r line; do
  case $line in *base*) base=1 ;; esac
  case $line in *one*) one=1 ;; esac
  case $line in *two*) two=1 ;; esac
done <"$in"
if [ -n "$two" ] && [ -z "$base" ]; then echo "$in: Internal error in do_it at a.c:12." >&2; exit 1; fi
if [ -n "$two" ] && [ -n "$sframe" ] && [ -z "$FIXED" ]; then
  if [ -n "$one" ]; then echo "$in: Internal error in do_it at a.c:12." >&2; exit 1; fi
  echo "$in: Internal error in do_other at b.c:7." >&2; exit 1
fi
cp "$(dirname "$0")/object" "$out"
