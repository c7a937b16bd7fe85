# The caller's FP is not saved anywhere: an escape of DW_CFA_val_offset gives its value, the CFA plus a constant,
# which no row can encode.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $6, %edi
	call before
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type before, @function
before:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	leaq -16(%rsp), %rbp # what lends_fp gives: CFA-16
	call lends_fp
	movl %eax, %edi
	call after
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size before, .-before

	.type lends_fp, @function
lends_fp:
	.cfi_startproc
	.cfi_escape 0x14, 0x06, 0x02 # FP = CFA-16
	movl $4, %ebp
	leal (%rdi,%rbp), %eax
	leaq -8(%rsp), %rbp
	.cfi_restore rbp
	ret
	.cfi_endproc
	.size lends_fp, .-lends_fp

	.type after, @function
after:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	leal 3(%rdi), %eax
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size after, .-after

	.section .note.GNU-stack,"",@progbits
