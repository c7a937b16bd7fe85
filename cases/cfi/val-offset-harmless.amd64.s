# Value rules that SFrame does not need: one for a register it does not track, one that says again what the ABI
# says of SP.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	leaq -16(%rsp), %rbx # what value's CFI says of it: CFA-16
	movl $5, %edi
	call value
	leaq -16(%rsp), %rcx
	subq %rbx, %rcx # 0 if value kept its word
	addl %ecx, %eax
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type value, @function
value:
	.cfi_startproc
	.cfi_val_offset rbx, -16
	.cfi_val_offset rsp, 0
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
	leal 5(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
