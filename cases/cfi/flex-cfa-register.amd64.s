# The CFA counts from a callee-saved register, then from a scratch register; a state with it is remembered and
# restored.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $6, %edi
	call before
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type before, @function
before:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	pushq %rbx
	.cfi_offset rbx, -24
	subq $8, %rsp
	movl %edi, %ebx
	call flex
	movl %eax, %edi
	call after
	addl %ebx, %eax
	addq $8, %rsp
	popq %rbx
	.cfi_restore rbx
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size before, .-before

	.type flex, @function
flex:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	movq %rsp, %rbx
	.cfi_def_cfa_register rbx # callee-saved, so it holds while leaf runs
	subq $48, %rsp
	.cfi_remember_state
	cmpl $6, %edi
	jne 1f
	call leaf
	leaq 16(%rbx), %r10
	.cfi_def_cfa r10, 0
	movq %rbx, %rsp
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa rsp, 8
	ret
1:	.cfi_restore_state
	movl $1, %eax
	movq %rbx, %rsp
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size flex, .-flex

	.type leaf, @function
leaf:
	.cfi_startproc
	leal 4(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.type after, @function
after:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	leal 3(%rdi), %eax
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size after, .-after

	.section .note.GNU-stack,"",@progbits
