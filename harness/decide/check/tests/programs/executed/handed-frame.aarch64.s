# A frame that the caller handed over is judged where it is executed: the CFA of libffi's
# `ffi_call_SYSV` is below the address in x1, its caller's FP and return address are saved
# there, and SP is set to another address from its caller.
# check: execute
# also: aarch64be
# link:
#
# case: right
# with frame: 256
# expect: clean, exited 0
# expect: info eh-frame/outermost at 0x4000b7..0x4000c8
#
# case: wrong
# with frame: -40
# expect: error, exited 0
# expect: error eh-frame/cfa-matches-truth at 0x4000a0..0x4000b4
# expect: info eh-frame/outermost at 0x4000b7..0x4000c8
# expect: undecided abandoned-frame at 0x40009c..0x4000c8: 1 answers
    .globl _start
_start: .cfi_startproc
    .cfi_undefined x30
    mov x29, sp
    sub sp, sp, #320
    mov x0, sp
    add x1, sp, #256
    adr x2, callee
    bl sysv
    mov x0, #0
    mov x8, #93
    svc #0
    .cfi_endproc
sysv: .cfi_startproc
    stp x29, x30, [x1]
    .cfi_def_cfa x1, -{frame}
    .cfi_offset x29, {frame}
    .cfi_offset x30, {frame} + 8
    mov x9, sp
    str x9, [x1, #32]
    mov x29, x1
    .cfi_def_cfa_register x29
    mov sp, x0
    add sp, sp, #192
    blr x2
    ldr x9, [x29, #32]
    mov sp, x9
    ldp x29, x30, [x29]
    .cfi_def_cfa sp, 0
    .cfi_restore x29
    .cfi_restore x30
    ret
    .cfi_endproc
callee: .cfi_startproc
    ret
    .cfi_endproc
