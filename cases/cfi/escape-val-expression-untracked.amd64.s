# An escape says by DW_CFA_val_expression what the value of a register is that SFrame does not track.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	leaq -16(%rsp), %rbx # what value's CFI says of it: CFA-16
	movl $6, %edi
	call value
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type value, @function
value:
	.cfi_startproc
	.cfi_escape 0x16, 0x03, 0x02, 0x40, 0x1c # rbx = CFA-16
	movl %edi, %ebx
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	call leaf
	addl %ebx, %eax
	addq $8, %rsp
	.cfi_def_cfa_offset 8
	leaq -8(%rsp), %rbx
	.cfi_restore rbx
	ret
	.cfi_endproc
	.size value, .-value

	.type leaf, @function
leaf:
	.cfi_startproc
	leal 4(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
