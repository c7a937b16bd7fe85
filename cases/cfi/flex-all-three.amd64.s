# CFA, return address and FP are in registers that no default row knows, all at once.
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
	call adrift
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

	.type adrift, @function
adrift:
	.cfi_startproc
	leaq 8(%rsp), %r10
	.cfi_def_cfa r10, 0
	movq %rbp, %r11
	.cfi_register rbp, r11
	movq (%rsp), %rcx
	.cfi_register rip, rcx
	movq $0, (%rsp)
	movl $4, %ebp
	subq $24, %rsp
	leal (%rdi,%rbp), %eax
	addq $24, %rsp
	movq %r11, %rbp
	.cfi_restore rbp
	movq %rcx, (%rsp)
	.cfi_offset rip, -8
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size adrift, .-adrift

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
