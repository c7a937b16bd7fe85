#!/bin/sh
# A linker whose output is its inputs, one after the other. It crashes on `one_leaf:` and `two_leaf:` in an executable, unless FIXED.
case "$1" in --version) echo "fake 9.1"; exit 0 ;; esac
out= in= partial=
while [ $# -gt 0 ]; do
  case "$1" in -r) partial=1 ;; -o) shift; out=$1 ;; -*) ;; *) in="$in $1" ;; esac
  shift
done
cat $in >"$out"
one= two=
while read -r line; do
  case $line in one_leaf:*) one=1 ;; two_leaf:*) two=1 ;; esac
done <"$out"
if [ -z "$FIXED$partial" ] && [ -n "$one" ] && [ -n "$two" ]; then
  echo "ld: Assertion in the merging of .sframe failed" >&2; exit 1
fi
