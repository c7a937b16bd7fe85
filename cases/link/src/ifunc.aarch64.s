// one() is 3, found by a resolver when the program starts: calls to it go through a PLT.
	.section .text.one,"ax",%progbits
	.globl choose
	.type choose, %function
choose:
	.cfi_startproc
	adr x0, really
	ret
	.cfi_endproc
	.size choose, .-choose
	.globl one
	.type one, %gnu_indirect_function
	.set one, choose

	.type really, %function
really:
	.cfi_startproc
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	bl really_leaf
	add w0, w0, #1
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size really, .-really

	.type really_leaf, %function
really_leaf:
	.cfi_startproc
	nop
	mov w0, #2
	ret
	.cfi_endproc
	.size really_leaf, .-really_leaf

	.section .note.GNU-stack,"",%progbits
