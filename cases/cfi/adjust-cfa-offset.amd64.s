# .cfi_adjust_cfa_offset goes up, down and by nothing, on SP and on FP.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $4, %edi
	call outer
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type outer, @function
outer:
	.cfi_startproc
	pushq %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_offset rbp, -16
	pushq %rdi
	.cfi_adjust_cfa_offset 8
	subq $40, %rsp
	.cfi_adjust_cfa_offset 40
	leaq 16(%rsp), %rbp
	.cfi_def_cfa_register rbp
	.cfi_adjust_cfa_offset -16
	nop
	.cfi_adjust_cfa_offset 0
	call leaf
	addl 24(%rbp), %eax
	addq $48, %rsp
	.cfi_def_cfa rsp, 64
	.cfi_adjust_cfa_offset -48
	popq %rbp
	.cfi_restore rbp
	.cfi_adjust_cfa_offset -8
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
