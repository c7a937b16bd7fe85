# FP points above the CFA by a number of bytes that is no multiple of the data alignment factor.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $6, %edi
	call odd
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type odd, @function
odd:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	leaq 28(%rsp), %rbp
	.cfi_def_cfa rbp, -12
	leal 1(%rdi), %eax
	popq %rbp
	.cfi_def_cfa rsp, 8
	.cfi_restore rbp
	ret
	.cfi_endproc
	.size odd, .-odd

	.type leaf, @function
leaf:
	.cfi_startproc
	leal 1(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
