# After one instruction first the offset and then the register of the CFA change, as after AMD64's enter.
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
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	.cfi_def_cfa_register rbp
	movl %edi, -4(%rbp)
	call leaf
	addl -4(%rbp), %eax
	leave
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	.cfi_def_cfa_register rsp
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
