# Only a lost FP is a convention of OCaml, which keeps no register for a caller: no rule has it.
# The C functions of its runtime keep it, and a saved FP or a wrong CFA is an error as anywhere.
# check: execute
# link:
#
# case: lost
# with name: camlList.map_7
# with body: inc %rbp; nop; ret
# expect: undecided, exited 0
# expect: undecided ocaml-registers at 0x40100e..0x401013: 2 answers
#
# case: lost, made for a number of arguments
# with name: caml_curry13_1_app
# with body: inc %rbp; nop; ret
# expect: undecided, exited 0
# expect: undecided ocaml-registers at 0x40100e..0x401013: 2 answers
#
# case: another function
# with name: map
# with body: inc %rbp; nop; ret
# expect: error, exited 0
# expect: error eh-frame/fp-matches-truth at 0x401011..0x401013
#
# case: a C function
# with name: caml_map
# with body: inc %rbp; nop; ret
# expect: error, exited 0
# expect: error eh-frame/fp-matches-truth at 0x401011..0x401013
#
# case: saved
# with name: camlList.map_7
# with body: push %rbp; .cfi_adjust_cfa_offset 8; inc %rbp; nop; pop %rbp; .cfi_adjust_cfa_offset -8; ret
# expect: error, exited 0
# expect: error eh-frame/fp-matches-truth at 0x401012..0x401014
#
# case: a wrong CFA
# with name: camlList.map_7
# with body: inc %rbp; .cfi_adjust_cfa_offset 8; nop; ret
# expect: error, exited 0
# expect: error eh-frame/cfa-matches-truth at 0x401011..0x401013
    .globl _start
_start: .cfi_startproc
    .cfi_undefined rip
    call {name}
    mov $60, %eax
    xor %edi, %edi
    syscall
    .cfi_endproc
    .type {name}, @function
{name}: .cfi_startproc
    {body}
    .cfi_endproc
    .size {name}, .-{name}
