# An escape gives the size of pushed arguments by DW_CFA_GNU_args_size while the CFA is in SP: the CFA is what
# .cfi_adjust_cfa_offset says.
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
	pushq %rdi
	.cfi_adjust_cfa_offset 8
	.cfi_escape 0x2e, 0x08
	call leaf
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	.cfi_escape 0x2e, 0x00
	ret
	.cfi_endproc
	.size outer, .-outer

	.type leaf, @function
leaf:
	.cfi_startproc
	leal 4(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
