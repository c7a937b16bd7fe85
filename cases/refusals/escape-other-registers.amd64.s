# Expressions of CFA and FP by other registers than rbp: an assembler that takes each base for rbp writes wrong rows.
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
	call fp
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
	leaq 8(%rsp), %rax
	pushq %rax
	.cfi_def_cfa_offset 16
	movq %rsp, %r9
	.cfi_remember_state
	.cfi_escape 0x0f, 0x03, 0x79, 0x00, 0x06 # CFA = [r9]
	leal 1(%rdi), %eax
	.cfi_restore_state
	popq %rcx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size cfa, .-cfa

	.type fp, @function
fp:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	xorl %ebp, %ebp
	.cfi_escape 0x10, 0x06, 0x02, 0x77, 0x00 # FP = [rsp]
	leal 1(%rdi), %eax
	.cfi_offset rbp, -16
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size fp, .-fp

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
