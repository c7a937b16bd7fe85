# FP waits in a register, then in another, and comes back.
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
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	pushq %rbx
	.cfi_offset rbx, -24
	subq $8, %rsp
	movl %edi, %ebx
	call parks_fp
	movl %eax, %edi
	call after
	addl %ebx, %eax
	addq $8, %rsp
	popq %rbx
	.cfi_restore rbx
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size before, .-before

	.type parks_fp, @function
parks_fp:
	.cfi_startproc
	movq %rbp, %r10
	.cfi_register rbp, r10
	movl $4, %ebp
	leal (%rdi,%rbp), %eax
	movq %r10, %rcx
	.cfi_register rbp, rcx # and on to another
	xorl %r10d, %r10d
	movl $0, %ebp
	movq %rcx, %rbp
	.cfi_restore rbp
	xorl %ecx, %ecx
	ret
	.cfi_endproc
	.size parks_fp, .-parks_fp

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
