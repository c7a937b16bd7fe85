# A function's cold part is in .text.unlikely with an FDE of its own, which begins with the frame that the
# hot part made.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $1, %edi
	call hot
	movl %eax, %edi
	call hot
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type hot, @function
hot:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	subq $32, %rsp
	.cfi_def_cfa_offset 48
	movl %edi, %ebp
	cmpl $5, %edi
	ja hot.cold
	call leaf
1:	addl %ebp, %eax
	addq $32, %rsp
	.cfi_def_cfa_offset 16
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size hot, .-hot

	.type leaf, @function
leaf:
	.cfi_startproc
	leal 4(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .text.unlikely,"ax",@progbits
	.type hot.cold, @function
hot.cold:
	.cfi_startproc
	.cfi_def_cfa_offset 48
	.cfi_offset rbp, -16
	addl $10, %edi
	call leaf
	jmp 1b
	.cfi_endproc
	.size hot.cold, .-hot.cold

	.section .note.GNU-stack,"",@progbits
