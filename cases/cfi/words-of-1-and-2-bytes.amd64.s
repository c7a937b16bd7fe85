# CFA offsets and slots on both sides of what fits a word of one byte.
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
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	call cfa_offsets
	movl %eax, %edi
	call slots
	addq $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size outer, .-outer

	.type cfa_offsets, @function
cfa_offsets:
	.cfi_startproc
	subq $112, %rsp
	.cfi_def_cfa_offset 120
	subq $7, %rsp
	.cfi_def_cfa_offset 127 # the last that fits one byte
	decq %rsp
	.cfi_def_cfa_offset 128
	leal 1(%rdi), %eax
	addq $120, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size cfa_offsets, .-cfa_offsets

	.type slots, @function
slots:
	.cfi_startproc
	subq $136, %rsp
	.cfi_def_cfa_offset 144
	movq %rbp, 16(%rsp)
	.cfi_offset rbp, -128 # the last that fits one byte
	movl %edi, %ebp
	leal 1(%rbp), %eax
	movq 16(%rsp), %rbp
	movq %rbp, 8(%rsp)
	.cfi_offset rbp, -136
	movl $0, %ebp
	addl %ebp, %eax
	movq 8(%rsp), %rbp
	.cfi_restore rbp
	addq $136, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size slots, .-slots

	.section .note.GNU-stack,"",@progbits
