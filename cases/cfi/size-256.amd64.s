# Functions around 256 bytes, each with a row that starts at its last instruction: row starts of one byte and of two.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $1, %edi
	call size_255
	movl %eax, %edi
	call size_256
	movl %eax, %edi
	call size_257
	movl %eax, %edi
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type size_255, @function
size_255:
	.cfi_startproc
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	incl %edi
	movl %edi, %eax
	jmp 1f
	.skip 255 - 18
1:	addq $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size size_255, .-size_255

	.type size_256, @function
size_256:
	.cfi_startproc
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	incl %edi
	movl %edi, %eax
	jmp 1f
	.skip 256 - 18
1:	addq $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size size_256, .-size_256

	.type size_257, @function
size_257:
	.cfi_startproc
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	incl %edi
	movl %edi, %eax
	jmp 1f
	.skip 257 - 18
1:	addq $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size size_257, .-size_257

	.section .note.GNU-stack,"",@progbits
