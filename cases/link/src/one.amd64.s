# one() is 3: a frame without FP, and a leaf below it.
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

	.section .note.GNU-stack,"",@progbits
