// one() is 3 with the assembler's .sframe; hand() has a section of the same type and another name, written by hand.
	.section .text.one,"ax",%progbits
	.globl one
	.type one, %function
one:
	.cfi_startproc
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	bl one_leaf
	add w0, w0, #1
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size one, .-one

	.type one_leaf, %function
one_leaf:
	.cfi_startproc
	nop
	mov w0, #2
	ret
	.cfi_endproc
	.size one_leaf, .-one_leaf

	.section .text.hand,"ax",%progbits
	.globl hand
	.type hand, %function
hand:
	mov w0, #1
	ret
.Lend:
	.size hand, .-hand

	.ifndef CONTROL
	.ifndef FIXED_FP
	.set FIXED_FP, 0
	.endif
	.if SFRAME_PCREL
	.section .sframe.hand,"a",%0x6ffffff4
	.else
	.section .sframe.hand,"a",%progbits
	.endif
	.balign 8
	.hword 0xdee2
	.byte SFRAME_VERSION
	.byte 4 * SFRAME_PCREL
	.ifdef BIG_ENDIAN
	.byte 1
	.else
	.byte 2
	.endif
	.byte FIXED_FP, 0, 0
	.word 1, 1, .Lrows_end - .Lrows, 0, .Lrows - .Ltable
.Ltable:
	.if SFRAME_VERSION == 3
	.xword hand - .
	.word .Lend - hand, 0
	.else
	.word hand - .
	.word .Lend - hand, 0, 1
	.byte 0
	.if SFRAME_VERSION == 2
	.byte 0
	.hword 0
	.endif
	.endif
.Lrows:
	.if SFRAME_VERSION == 3
	.hword 1
	.byte 0, 0, 0
	.endif
	.byte 0, 3, 0
.Lrows_end:
	.endif

	.section .note.GNU-stack,"",%progbits
