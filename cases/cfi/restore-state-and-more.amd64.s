# At the address where a state is restored the offset is adjusted and a register saved as well: directives after the
# restoration counts on top of it.
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
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	.cfi_remember_state
	pushq %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_offset rbp, -24
	testl %edi, %edi
	je 1f
	movl $30, %ebp
	leal (%rdi,%rbp), %eax
	popq %rbp
	.cfi_adjust_cfa_offset -8
	.cfi_restore rbp
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
1:	.cfi_restore_state
	.cfi_adjust_cfa_offset 8
	.cfi_offset rbp, -24
	movl $2, %ebp
	movl %ebp, %eax
	popq %rbp
	.cfi_adjust_cfa_offset -8
	.cfi_restore rbp
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size pick, .-pick

	.section .note.GNU-stack,"",@progbits
