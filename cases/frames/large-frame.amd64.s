# Frames of 40,000 and 300,000 bytes: CFA and save offsets need two and four bytes.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $7, %edi
	call frame_40k
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type frame_40k, @function
frame_40k:
	.cfi_startproc
	subq $40000, %rsp
	.cfi_def_cfa_offset 40008
	movl %edi, 39996(%rsp)
	call frame_300k
	addl 39996(%rsp), %eax
	addq $40000, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size frame_40k, .-frame_40k

	.type frame_300k, @function
frame_300k:
	.cfi_startproc
	subq $300000, %rsp
	.cfi_def_cfa_offset 300008
	movq %rbp, (%rsp) # FP 300,008 bytes below the CFA
	.cfi_offset rbp, -300008
	movl %edi, %ebp
	call leaf
	addl %ebp, %eax
	movq (%rsp), %rbp
	.cfi_restore rbp
	addq $300000, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size frame_300k, .-frame_300k

	.type leaf, @function
leaf:
	.cfi_startproc
	leal -2(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
