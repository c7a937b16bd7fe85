# A switch with three arms, each with an epilogue of its own shape; execution takes all of them.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	xorl %ebx, %ebx
	xorl %r12d, %r12d
1:	movl %r12d, %edi
	call pick
	addl %eax, %ebx
	incl %r12d
	cmpl $3, %r12d
	jne 1b
	movl %ebx, %eax
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type pick, @function
pick:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	pushq %rbx
	.cfi_def_cfa_offset 24
	.cfi_offset rbx, -24
	subq $8, %rsp
	.cfi_def_cfa_offset 32
	movl %edi, %ebx
	call leaf
	cmpl $1, %ebx
	je 1f
	ja 2f
	.cfi_remember_state
	addq $8, %rsp
	.cfi_def_cfa_offset 24
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 16
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
1:	.cfi_restore_state
	addl $10, %eax
	.cfi_remember_state
	movq 16(%rsp), %rbp
	.cfi_restore rbp
	movq 8(%rsp), %rbx
	.cfi_restore rbx
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
2:	.cfi_restore_state
	addl $20, %eax
	leaq 8(%rsp), %rsp
	.cfi_def_cfa_offset 24
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 16
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size pick, .-pick

	.type leaf, @function
leaf:
	.cfi_startproc
	leal 11(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
