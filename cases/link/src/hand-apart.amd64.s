# one() is 3 with the assembler's .sframe; hand() has a section of the same type and another name, written by hand.
	.section .text.one,"ax",@progbits
	.globl one
	.type one, @function
one:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	call one_leaf
	addl $1, %eax
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size one, .-one

	.type one_leaf, @function
one_leaf:
	.cfi_startproc
	movl $2, %eax
	ret
	.cfi_endproc
	.size one_leaf, .-one_leaf

	.section .text.hand,"ax",@progbits
	.globl hand
	.type hand, @function
hand:
	movl $1, %eax
	ret
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
	.byte 3
	.byte FIXED_FP, -8, 0
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
	.byte 0, 3, 8
.Lrows_end:
	.endif

	.section .note.GNU-stack,"",@progbits
