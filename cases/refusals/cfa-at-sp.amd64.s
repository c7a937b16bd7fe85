# The CFA is in memory at SP: only one at FP has a row, and an assembler that confuses them writes a wrong one.
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
	call loaded
	movl %eax, %edi
	call after
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size before, .-before

	.type loaded, @function
loaded:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	leaq 16(%rsp), %rax
	pushq %rax
	.cfi_def_cfa_offset 24
	.cfi_remember_state
	.cfi_escape 0x0f, 0x03, 0x77, 0x00, 0x06 # CFA = [rsp]
	leal 1(%rdi), %eax
	.cfi_restore_state
	popq %rcx
	.cfi_def_cfa_offset 16
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size loaded, .-loaded

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
