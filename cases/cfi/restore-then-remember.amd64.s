# A state is restored and remembered again at one address, as compilers do between two early returns.
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
	movl %edi, %ebp
	call leaf
	cmpl $1, %ebp
	je 1f
	ja 2f
	.cfi_remember_state
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
1:	.cfi_restore_state
	.cfi_remember_state # at the address of the restore
	addl $10, %eax
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
2:	.cfi_restore_state
	addl %ebp, %eax
	addl %ebp, %eax
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size pick, .-pick

	.type leaf, @function
leaf:
	.cfi_startproc
	leal 9(%rdi,%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
