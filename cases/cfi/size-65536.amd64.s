# Functions around 65,536 bytes, each with a row that starts at its last instruction: row starts of two bytes and of
# four.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $1, %edi
	call size_65535
	movl %eax, %edi
	call size_65536
	movl %eax, %edi
	call size_65537
	movl %eax, %edi
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type size_65535, @function
size_65535:
	.cfi_startproc
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	incl %edi
	movl %edi, %eax
	jmp 1f
	.skip 65535 - 18
1:	addq $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size size_65535, .-size_65535

	.type size_65536, @function
size_65536:
	.cfi_startproc
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	incl %edi
	movl %edi, %eax
	jmp 1f
	.skip 65536 - 18
1:	addq $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size size_65536, .-size_65536

	.type size_65537, @function
size_65537:
	.cfi_startproc
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	incl %edi
	movl %edi, %eax
	jmp 1f
	.skip 65537 - 18
1:	addq $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size size_65537, .-size_65537

	.section .note.GNU-stack,"",@progbits
