# one() is 3, found by a resolver when the program starts: calls to it go through a PLT.
	.section .text.one,"ax",@progbits
	.globl choose
	.type choose, @function
choose:
	.cfi_startproc
	leaq really(%rip), %rax
	ret
	.cfi_endproc
	.size choose, .-choose
	.globl one
	.type one, @gnu_indirect_function
	.set one, choose

	.type really, @function
really:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	call really_leaf
	addl $1, %eax
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size really, .-really

	.type really_leaf, @function
really_leaf:
	.cfi_startproc
	movl $2, %eax
	ret
	.cfi_endproc
	.size really_leaf, .-really_leaf

	.section .note.GNU-stack,"",@progbits
