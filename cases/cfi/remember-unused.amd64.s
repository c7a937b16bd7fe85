# A state is remembered and never restored; the one remembered after it is.
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
	.cfi_remember_state # for ever
	movl $20, %ebp
	addl %edi, %ebp
	testl %edi, %edi
	.cfi_remember_state
	je 1f
	movl %ebp, %eax
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
1:	.cfi_restore_state
	leal 1(%rbp), %eax
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size pick, .-pick

	.section .note.GNU-stack,"",@progbits
