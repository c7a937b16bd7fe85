# A resolver that counts without what its stub pushed is one error. An example is AArch64's
# `_dl_runtime_resolve` in a lazily bound program.
# check: execute
# link:
#
# case: right
# with entry: 24
# expect: clean, exited 0
#
# case: 16 too low
# with entry: 8
# expect: error, exited 0
# expect: error eh-frame/cfa-matches-truth at 0x401014..0x401023
    .globl _start
_start: .cfi_startproc
    .cfi_undefined rip
    call stub
    mov $60, %eax
    xor %edi, %edi
    syscall
    .cfi_endproc
stub:
    push $1
    push $2
    jmp resolver
resolver: .cfi_startproc
    .cfi_def_cfa_offset {entry}
    sub $16, %rsp
    .cfi_adjust_cfa_offset 16
    nop
    add $16, %rsp
    .cfi_adjust_cfa_offset -16
    add $16, %rsp
    .cfi_adjust_cfa_offset -16
    jmp target
    .cfi_endproc
target: .cfi_startproc
    ret
    .cfi_endproc
