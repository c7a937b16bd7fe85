# One function calls itself until 60 frames of it are live, then all return.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $60, %edi
	call sum
	andl $255, %eax
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type sum, @function
sum:
	.cfi_startproc
	movl %edi, %eax
	testl %edi, %edi
	je 1f
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	movl %edi, %ebx
	decl %edi
	call sum
	addl %ebx, %eax
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
1:	ret
	.cfi_endproc
	.size sum, .-sum

	.section .note.GNU-stack,"",@progbits
