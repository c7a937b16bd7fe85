# FP is saved at the CFA itself and above it, in the argument area that the caller made for the function.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $7, %edi
	call outer
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type outer, @function
outer:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	call at_cfa
	movl %eax, %edi
	call above_cfa
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size outer, .-outer

	.type at_cfa, @function
at_cfa:
	.cfi_startproc
	movq %rbp, 8(%rsp)
	.cfi_offset rbp, 0
	movl $8, %ebp
	leal (%rdi,%rbp), %eax
	movq 8(%rsp), %rbp
	.cfi_restore rbp
	ret
	.cfi_endproc
	.size at_cfa, .-at_cfa

	.type above_cfa, @function
above_cfa:
	.cfi_startproc
	movq %rbp, 16(%rsp)
	.cfi_offset rbp, 8
	movl $8, %ebp
	leal (%rdi,%rbp), %eax
	movq 16(%rsp), %rbp
	.cfi_restore rbp
	ret
	.cfi_endproc
	.size above_cfa, .-above_cfa

	.section .note.GNU-stack,"",@progbits
