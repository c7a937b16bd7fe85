# Two functions with frames of different size and kind call each other in turn.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $21, %edi
	call is_odd
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type is_even, @function
is_even:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	xorl %eax, %eax
	testl %edi, %edi
	je 1f
	decl %edi
	call is_odd
	incl %eax
1:	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size is_even, .-is_even

	.type is_odd, @function
is_odd:
	.cfi_startproc
	subq $56, %rsp
	.cfi_def_cfa_offset 64
	xorl %eax, %eax
	testl %edi, %edi
	je 1f
	decl %edi
	call is_even
	incl %eax
1:	addq $56, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size is_odd, .-is_odd

	.section .note.GNU-stack,"",@progbits
