# A state with the CFA in FP is remembered where it is made, and restored from a row whose CFA is in SP.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $0, %edi
	call pick
	movl %eax, %ebx
	movl $1, %edi
	call pick
	addl %ebx, %eax
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
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	.cfi_remember_state
	subq $40, %rsp
	testl %edi, %edi
	je 1f
	call leaf
	leave
	.cfi_def_cfa rsp, 8
	.cfi_restore rbp
	ret
1:	.cfi_restore_state
	call leaf
	addl $3, %eax
	leave
	.cfi_def_cfa rsp, 8
	.cfi_restore rbp
	ret
	.cfi_endproc
	.size pick, .-pick

	.type leaf, @function
leaf:
	.cfi_startproc
	leal 9(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
