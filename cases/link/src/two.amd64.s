# two() is 4: a frame with FP, and a leaf below it. With SECTIONS, .sframe is asked for by the directive.
	.ifdef SECTIONS
	.cfi_sections .eh_frame, .sframe
	.endif
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
	call two_leaf
	addl $1, %eax
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size two, .-two

	.type two_leaf, @function
two_leaf:
	.cfi_startproc
	movl $3, %eax
	ret
	.cfi_endproc
	.size two_leaf, .-two_leaf

	.section .note.GNU-stack,"",@progbits
