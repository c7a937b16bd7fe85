# A callee pushes an argument and ends with a jump to the function that reads it: SP after the call
# is what the callee left.
# check: explore
# expect: clean, 15 of 15 reached
    .text
    .globl many
    .type many,%function
many:
    .cfi_startproc
    ldr x9,[sp]
    add x0,x0,x9
    ret
    .cfi_endproc
    .size many,.-many
    .type OUT,%function
OUT:    .cfi_startproc
    stp x22,x22,[sp,#-16]!
    .cfi_def_cfa_offset 16
    b many
    .cfi_endproc
    .size OUT,.-OUT
    .globl test
    .type test,%function
test:    .cfi_startproc
    stp x29,x30,[sp,#-48]!
    .cfi_def_cfa_offset 48
    .cfi_offset 29,-48
    .cfi_offset 30,-40
    str x22,[sp,#32]
    .cfi_offset 22,-16
    mov x29,sp
    .cfi_def_cfa 29,48
    bl OUT
    add sp,sp,#16
    mov x0,#1
    mov sp,x29
    .cfi_def_cfa 31,48
    ldr x22,[sp,#32]
    ldp x29,x30,[sp],#48
    .cfi_def_cfa_offset 0
    .cfi_restore 22
    .cfi_restore 29
    .cfi_restore 30
    ret
    .cfi_endproc
    .size test,.-test
