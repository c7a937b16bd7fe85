# A resolver that counts without what its stub pushed is one error. An example is AArch64's
# `_dl_runtime_resolve` in a lazily bound program.
# check: execute
# also: aarch64be
# link:
#
# case: right
# with entry: 16
# expect: clean, exited 0
#
# case: 16 too low
# with entry: 0
# expect: error, exited 0
# expect: error eh-frame/cfa-matches-truth at 0x400090..0x4000a4
    .globl _start
_start: .cfi_startproc
    .cfi_undefined x30
    bl stub
    mov x0, #0
    mov x8, #93
    svc #0
    .cfi_endproc
stub:
    stp x16, x30, [sp, #-16]!
    b resolver
resolver: .cfi_startproc
    .cfi_def_cfa_offset {entry}
    sub sp, sp, #16
    .cfi_adjust_cfa_offset 16
    nop
    add sp, sp, #16
    .cfi_adjust_cfa_offset -16
    ldp x16, x30, [sp], #16
    .cfi_adjust_cfa_offset -16
    b target
    .cfi_endproc
target: .cfi_startproc
    ret
    .cfi_endproc
