# Each change of the CFA is stated whole, by .cfi_def_cfa, register and offset anew.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $9, %edi
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
	.cfi_def_cfa rsp, 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa rbp, 16
	pushq %rdi
	.cfi_def_cfa rsp, 24 # SP serves again
	pushq %rdi
	.cfi_def_cfa rsp, 32
	call leaf
	.cfi_def_cfa rbp, 16
	popq %rdi
	addl (%rsp), %eax
	popq %rdi
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
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
