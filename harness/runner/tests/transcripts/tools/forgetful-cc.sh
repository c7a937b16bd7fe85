#!/bin/sh
# A compiler that writes a right function, and with -Oz one whose CFA is 8 bytes too near at the pop, unless FIXED; it refuses other C.
case "$1" in --version) echo "fake 9.1"; exit 0 ;; esac
out= in= small=
while [ $# -gt 0 ]; do
  case "$1" in -o) shift; out=$1 ;; -Oz) small=1 ;; -*) ;; *) in=$1 ;; esac
  shift
done
[ -z "$FIXED" ] || small=
grep -q 'int test' "$in" || { echo "no test" >&2; exit 1; }
{
  printf '\t.text\n\t.globl test\n\t.type test, @function\ntest:\n\t.cfi_startproc\n\tpushq $2\n'
  [ -n "$small" ] || printf '\t.cfi_adjust_cfa_offset 8\n'
  printf '\tpopq %%rax\n'
  [ -n "$small" ] || printf '\t.cfi_adjust_cfa_offset -8\n'
  printf '\tret\n\t.cfi_endproc\n\t.size test, .-test\n'
} >"$out"
