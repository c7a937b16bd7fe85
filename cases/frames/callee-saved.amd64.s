# Every register that a call preserves is saved, in an order of its own, and restored on two ways out.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $1, %ebx
	movl $2, %r12d
	movl $3, %r13d
	movl $4, %r14d
	movl $5, %r15d
	movl $1, %edi
	call save
	xorl %edi, %edi
	call save
	leal (%rbx,%r12), %edi
	addl %r13d, %edi
	addl %r14d, %edi
	addl %r15d, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type save, @function
save:
	.cfi_startproc
	pushq %r14
	.cfi_def_cfa_offset 16
	.cfi_offset r14, -16
	pushq %rbx
	.cfi_def_cfa_offset 24
	.cfi_offset rbx, -24
	movl $100, %ebx
	pushq %r15
	.cfi_def_cfa_offset 32
	.cfi_offset r15, -32
	movl $101, %r14d
	subq $16, %rsp
	.cfi_def_cfa_offset 48
	movq %r13, (%rsp)
	.cfi_offset r13, -48
	movq %r12, 8(%rsp)
	.cfi_offset r12, -40
	movl $102, %r12d
	movl $103, %r13d
	movl $104, %r15d
	call touch
	testl %edi, %edi
	je 1f
	.cfi_remember_state
	movq 8(%rsp), %r12
	.cfi_restore r12
	movq (%rsp), %r13
	.cfi_restore r13
	addq $16, %rsp
	.cfi_def_cfa_offset 32
	popq %r15
	.cfi_restore r15
	.cfi_def_cfa_offset 24
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 16
	popq %r14
	.cfi_restore r14
	.cfi_def_cfa_offset 8
	ret
1:	.cfi_restore_state
	call touch
	popq %r13
	.cfi_restore r13
	.cfi_def_cfa_offset 40
	popq %r12
	.cfi_restore r12
	.cfi_def_cfa_offset 32
	popq %r15
	.cfi_restore r15
	.cfi_def_cfa_offset 24
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 16
	popq %r14
	.cfi_restore r14
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size save, .-save

	.type touch, @function
touch:
	.cfi_startproc
	ret
	.cfi_endproc
	.size touch, .-touch

	.section .note.GNU-stack,"",@progbits
