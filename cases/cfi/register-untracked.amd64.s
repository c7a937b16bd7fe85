# A callee-saved register that SFrame does not track is parked in another register.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $6, %edi
	call parks
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type parks, @function
parks:
	.cfi_startproc
	movq %rbx, %r10
	.cfi_register rbx, r10
	movl %edi, %ebx
	leal (%rbx,%rbx), %eax
	movq %r10, %rbx
	.cfi_restore rbx
	ret
	.cfi_endproc
	.size parks, .-parks

	.section .note.GNU-stack,"",@progbits
