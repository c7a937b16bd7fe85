# Registers of vectors, matrices and predicates are no general registers: FP and link register
# keep their values.
# check: explore
# expect: error, 12 of 12 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x28..0x30
    .arch armv9-a+i8mm+bf16+sve2+sme
f:  .cfi_startproc
    usdot v30.4s, v0.16b, v1.16b
    sqdmulh z29.h, z0.h, z1.h
    fmov d30, d0
    scvtf d29, w0
    mov v30.d[0], x29
    ldr z30, [x0]
    ld1 {v29.4s}, [x0]
    mov z30.b, p0/m, w0
    whilelo p14.b, x0, x1
    sub sp, sp, #32
    nop
    add sp, sp, #32
    nop
    ret
    .cfi_endproc
