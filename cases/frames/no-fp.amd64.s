# Frames without a frame pointer: the CFA stays on the stack pointer through pushes, locals and pops.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $5, %edi
	call outer
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type outer, @function
outer:
	.cfi_startproc
	subq $40, %rsp
	.cfi_def_cfa_offset 48
	movl %edi, 12(%rsp)
	call middle
	addl 12(%rsp), %eax
	addq $40, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size outer, .-outer

	.type middle, @function
middle:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	movl %edi, %ebx
	call leaf
	movl %eax, %edi
	call leaf
	addl %ebx, %eax
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size middle, .-middle

	.type leaf, @function
leaf:
	.cfi_startproc
	leal 2(%rdi,%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
