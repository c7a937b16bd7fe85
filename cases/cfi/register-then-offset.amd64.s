# After one instruction first the register and then the offset of the CFA change.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $8, %edi
	call outer
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type outer, @function
outer:
	.cfi_startproc
	enter $32, $0
	.cfi_def_cfa_register rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movl %edi, -4(%rbp)
	call leaf
	addl -4(%rbp), %eax
	leave
	.cfi_def_cfa_register rsp
	.cfi_adjust_cfa_offset -8
	.cfi_restore rbp
	ret
	.cfi_endproc
	.size outer, .-outer

	.type leaf, @function
leaf:
	.cfi_startproc
	leal 10(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
