# A function marked as a signal frame is called in the ordinary way; its caller stays in one row around the
# call, so that looking it up exactly is right too.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $10, %edi
	call caller
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type caller, @function
caller:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	call marked
	nop
	addl $5, %eax
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size caller, .-caller

	.type marked, @function
marked:
	.cfi_startproc
	.cfi_signal_frame
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movl %edi, %ebp
	call leaf
	addl %ebp, %eax
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size marked, .-marked

	.type leaf, @function
leaf:
	.cfi_startproc
	leal 5(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
