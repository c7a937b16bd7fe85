# .cfi_remember_state is the very first directive, before any instruction; the early return needs no frame.
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
	.cfi_remember_state
	testl %edi, %edi
	je 1f
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movl $20, %ebp
	leal (%rdi,%rbp), %eax
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
1:	.cfi_restore_state
	movl $4, %eax
	ret
	.cfi_endproc
	.size pick, .-pick

	.section .note.GNU-stack,"",@progbits
