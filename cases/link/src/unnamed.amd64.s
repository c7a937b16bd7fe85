# two() is 4: a frame with FP, and below it a leaf whose name does not reach the symbol table.
	.section .text.two,"ax",@progbits
	.globl two
	.type two, @function
two:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	call .Ltwo_leaf
	addl $1, %eax
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size two, .-two

.Ltwo_leaf:
	.cfi_startproc
	movl $3, %eax
	ret
	.cfi_endproc

	.section .note.GNU-stack,"",@progbits
