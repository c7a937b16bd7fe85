# one() is 3 with the assembler's .sframe; hand() has a section of the same type and another name, written by hand.
	.section .text.one,"ax",@progbits
	.globl one
	.type one, @function
one:
	.cfi_startproc
	stmg %r12, %r15, 96(%r15)
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	brasl %r14, one_leaf
	aghi %r2, 1
	lmg %r12, %r15, 256(%r15)
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size one, .-one

	.type one_leaf, @function
one_leaf:
	.cfi_startproc
	lghi %r2, 2
	br %r14
	.cfi_endproc
	.size one_leaf, .-one_leaf

	.section .text.hand,"ax",@progbits
	.globl hand
	.type hand, @function
hand:
	lghi %r2, 1
	br %r14
.Lend:
	.size hand, .-hand

	.ifndef CONTROL
	.ifndef FIXED_FP
	.set FIXED_FP, 0
	.endif
	.if SFRAME_PCREL
	.section .sframe.hand,"a",@0x6ffffff4
	.else
	.section .sframe.hand,"a",@progbits
	.endif
	.balign 8
	.short 0xdee2
	.byte SFRAME_VERSION
	.byte 4 * SFRAME_PCREL
	.byte 4
	.byte FIXED_FP, 0, 0
	.long 1, 1, .Lrows_end - .Lrows, 0, .Lrows - .Ltable
.Ltable:
	.if SFRAME_VERSION == 3
	.quad hand - .
	.long .Lend - hand, 0
	.else
	.long hand - .
	.long .Lend - hand, 0, 1
	.byte 0
	.if SFRAME_VERSION == 2
	.byte 0
	.short 0
	.endif
	.endif
.Lrows:
	.if SFRAME_VERSION == 3
	.short 1
	.byte 0, 0, 0
	.endif
	.byte 0, 3, 0
.Lrows_end:
	.endif

	.section .note.GNU-stack,"",@progbits
