# Where a program begins there is no return, whatever it loads into its link register from above
# SP.
# check: explore
# link: -e f
# expect: clean, 6 of 6 reached, exited 0
    .globl f
f:  .cfi_startproc
    .cfi_undefined x30
    mov x29, #0
    ldr x30, [sp, #8]
    mov x0, #0
    mov x8, #93
    svc #0
1:  b 1b
    .cfi_endproc
