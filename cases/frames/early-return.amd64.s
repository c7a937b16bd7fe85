# A function returns early on one path: the state is remembered before the first epilogue and restored after it.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	xorl %edi, %edi
	call guarded
	movl %eax, %ebx
	movl $1, %edi
	call guarded
	addl %eax, %ebx
	movl $9, %edi
	call guarded
	addl %ebx, %eax
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type guarded, @function
guarded:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	movl $3, %eax
	testl %edi, %edi
	jne 1f
	.cfi_remember_state
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
1:	.cfi_restore_state
	pushq %rbx
	.cfi_offset rbx, -24
	movl %edi, %ebx
	call leaf
	cmpl $1, %ebx
	jne 2f
	.cfi_remember_state
	popq %rbx
	.cfi_restore rbx
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
2:	.cfi_restore_state
	addl %ebx, %eax
	popq %rbx
	.cfi_restore rbx
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size guarded, .-guarded

	.type leaf, @function
leaf:
	.cfi_startproc
	leal 2(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
