# FP points above the CFA or straight at it, so that the offset of the CFA is negative or zero.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $9, %edi
	call below
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type below, @function
below:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	leaq 48(%rsp), %rbp
	.cfi_def_cfa rbp, -32
	subq $32, %rsp
	call at
	addq $32, %rsp
	.cfi_def_cfa rsp, 16
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size below, .-below

	.type at, @function
at:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	leaq 16(%rsp), %rbp
	.cfi_def_cfa rbp, 0
	call leaf
	addl $9, %eax
	leaq -16(%rbp), %rsp
	.cfi_def_cfa rsp, 16
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size at, .-at

	.type leaf, @function
leaf:
	.cfi_startproc
	leal 9(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
