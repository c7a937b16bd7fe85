// two() is 4: a frame with FP, and below it a leaf whose name does not reach the symbol table.
	.section .text.two,"ax",%progbits
	.globl two
	.type two, %function
two:
	.cfi_startproc
	stp x29, x30, [sp, #-48]!
	.cfi_def_cfa_offset 48
	.cfi_offset x29, -48
	.cfi_offset x30, -40
	mov x29, sp
	.cfi_def_cfa_register x29
	bl .Ltwo_leaf
	add w0, w0, #1
	ldp x29, x30, [sp], #48
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	ret
	.cfi_endproc
	.size two, .-two

.Ltwo_leaf:
	.cfi_startproc
	nop
	mov w0, #3
	ret
	.cfi_endproc

	.section .note.GNU-stack,"",%progbits
