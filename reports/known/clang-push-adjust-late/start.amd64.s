	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	call test
	andl $127, %eax
	movl %eax, %edi
	movl $60, %eax
	syscall
	hlt
	.cfi_endproc
	.size _start, .-_start

	.section .note.GNU-stack,"",@progbits
