# States are remembered at the address of the very change they have to hold, and restored one after the other.
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
	.cfi_adjust_cfa_offset 8
	.cfi_remember_state # before FP is said to be saved
	.cfi_offset rbp, -16
	.cfi_remember_state # and after
	movl $9, %ebp
	testl %edi, %edi
	je 1f
	popq %rbp
	.cfi_restore rbp
	.cfi_adjust_cfa_offset -8
	movl $6, %eax
	ret
1:	.cfi_restore_state
	movl %ebp, %eax
	movq (%rsp), %rbp
	nop
	.cfi_restore_state
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size pick, .-pick

	.section .note.GNU-stack,"",@progbits
