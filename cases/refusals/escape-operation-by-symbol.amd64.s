# The first byte of an escape, its operation, is a symbol that is defined later: an assembler that takes it for
# DW_CFA_nop writes a wrong row.
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
	call state
	movl %eax, %edi
	call after
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size before, .-before

	.type state, @function
state:
	.cfi_startproc
	.cfi_remember_state
	pushq %rbx
	.cfi_def_cfa_offset 16
	leal 1(%rdi), %eax
	popq %rbx
	.cfi_escape restore_state
	ret
	.cfi_endproc
	.size state, .-state

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

	.set restore_state, 0x0b

	.section .note.GNU-stack,"",@progbits
