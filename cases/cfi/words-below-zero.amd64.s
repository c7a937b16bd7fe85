# FP points so far above the CFA that the negative CFA offset needs a word of one byte, of two and of four.
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
	call below_1
	movl %eax, %edi
	call below_2
	addq $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size outer, .-outer

	.type below_1, @function
below_1:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	leaq 144(%rsp), %rbp
	.cfi_def_cfa rbp, -128 # the last that fits one byte
	addq $8, %rbp
	.cfi_def_cfa_offset -136
	leal 1(%rdi), %eax
	popq %rbp
	.cfi_def_cfa rsp, 8
	.cfi_restore rbp
	ret
	.cfi_endproc
	.size below_1, .-below_1

	.type below_2, @function
below_2:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	leaq 32784(%rsp), %rbp
	.cfi_def_cfa rbp, -32768 # the last that fits two bytes
	addq $8, %rbp
	.cfi_def_cfa_offset -32776
	leal 1(%rdi), %eax
	popq %rbp
	.cfi_def_cfa rsp, 8
	.cfi_restore rbp
	ret
	.cfi_endproc
	.size below_2, .-below_2

	.section .note.GNU-stack,"",@progbits
