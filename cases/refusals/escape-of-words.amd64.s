# An element of an escape has two bytes, the second of which belongs to what follows: an assembler that takes it for
# one byte writes wrong rows.
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
	call cfa
	movl %eax, %edi
	call expression
	movl %eax, %edi
	call value
	movl %eax, %edi
	call after
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size before, .-before

	.type cfa, @function
cfa:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	leaq 16(%rsp), %rax
	pushq %rax
	.cfi_def_cfa_offset 24
	movq %rsp, %rbp
	.cfi_remember_state
	.cfi_escape 0x0f, 0x03, data2(0x76), 0x06, 0x06 # CFA = [rbp+0], DW_CFA_restore_extended
	.cfi_escape 0x00 # of rax
	leal 1(%rdi), %eax
	.cfi_restore_state
	popq %rcx
	.cfi_def_cfa_offset 16
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size cfa, .-cfa

	.type expression, @function
expression:
	.cfi_startproc
	.cfi_remember_state
	pushq %rbx
	.cfi_def_cfa_offset 16
	leal 1(%rdi), %eax
	popq %rbx
	.cfi_escape 0x10, data2(0x03), 0x02, 0x00, 0x0b # rbx by no operation, DW_CFA_advance_loc1 0, DW_CFA_restore_state
	ret
	.cfi_endproc
	.size expression, .-expression

	.type value, @function
value:
	.cfi_startproc
	.cfi_remember_state
	pushq %rbx
	.cfi_def_cfa_offset 16
	leal 1(%rdi), %eax
	popq %rbx
	.cfi_escape 0x14, data2(0x03), 0x0b # rbx = CFA, DW_CFA_restore_state
	ret
	.cfi_endproc
	.size value, .-value

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
