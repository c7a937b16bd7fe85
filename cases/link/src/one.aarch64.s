// one() is 3: a frame without FP, and a leaf below it.
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

	.section .note.GNU-stack,"",%progbits
