# FP waits in vector registers: the word that names xmm0 is above 127, the one that names xmm15 needs two bytes.
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
	movq %rbp, %xmm15
	.cfi_register rbp, xmm15 # register 32
	movl $4, %ebp
	leal (%rdi,%rbp), %eax
	movq %xmm15, %xmm0
	.cfi_register rbp, xmm0 # register 17
	pxor %xmm15, %xmm15
	movq %xmm0, %rbp
	.cfi_restore rbp
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
