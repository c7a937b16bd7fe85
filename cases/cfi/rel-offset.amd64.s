# .cfi_rel_offset counts from the register that the CFA counts from: from SP after adjustments, then from FP.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $7, %edi
	call outer
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type outer, @function
outer:
	.cfi_startproc
	pushq %rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbx, 0
	pushq %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbp, 0
	subq $16, %rsp
	.cfi_adjust_cfa_offset 16
	movq %rbp, 8(%rsp)
	.cfi_rel_offset rbp, 8
	movq $-1, 16(%rsp) # the first copy is no more
	leaq 24(%rsp), %rbp
	.cfi_def_cfa rbp, 16
	movl %edi, %ebx
	movq -16(%rbp), %rax
	movq %rax, -8(%rbp)
	.cfi_rel_offset rbp, -8 # from FP now
	movq $-1, 8(%rsp)
	subq $8, %rsp
	call leaf
	addq $8, %rsp
	addl %ebx, %eax
	movq -8(%rbp), %rbp
	.cfi_def_cfa rsp, 40
	.cfi_restore rbp
	addq $24, %rsp
	.cfi_adjust_cfa_offset -24
	popq %rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore rbx
	ret
	.cfi_endproc
	.size outer, .-outer

	.type leaf, @function
leaf:
	.cfi_startproc
	leal 9(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
