# Directives say again what holds already; rows may repeat, but what they say does not change.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $6, %edi
	call outer
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type outer, @function
outer:
	.cfi_startproc
	.cfi_def_cfa rsp, 8
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	nop
	.cfi_def_cfa_offset 16
	nop
	.cfi_def_cfa rsp, 16
	nop
	.cfi_def_cfa_register rsp
	.cfi_adjust_cfa_offset 0
	call leaf
	.cfi_restore rbp
	.cfi_same_value rbp
	addq $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size outer, .-outer

	.type leaf, @function
leaf:
	.cfi_startproc
	leal 5(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
