# Judged at every step or not, the outcome is the same: `f` jumps to instructions that no table
# describes, all alike; they are not counted as judged.
# check: execute
# link:
# show: steps
# expect: clean, exited 0, 104 of 204 steps judged
    .globl _start
_start: .cfi_startproc
    .cfi_undefined x30
    mov x19, #20
1:  bl f
    subs x19, x19, #1
    b.ne 1b
    mov x0, #0
    mov x8, #93
    svc #0
    .cfi_endproc
f:  .cfi_startproc
    mov x2, #1
    b bare
    .cfi_endproc
    .skip 64
bare:
    mov x2, #1
    mov x3, #1
    mov x4, #1
    mov x5, #1
    ret
