# A saved register moves: .cfi_offset of FP, and of RA where it is tracked, is given again with another slot.
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
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	subq $32, %rsp
	.cfi_def_cfa_offset 48
	movq %rbp, (%rsp)
	.cfi_offset rbp, -48
	movq $-1, 32(%rsp) # the first copy is no more
	movl %edi, %ebp
	call leaf
	addl %ebp, %eax
	movq (%rsp), %rbp
	movq %rbp, 24(%rsp)
	.cfi_offset rbp, -24
	movl $3, (%rsp)
	addl (%rsp), %eax
	addq $40, %rsp
	.cfi_def_cfa_offset 8
	.cfi_restore rbp
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
