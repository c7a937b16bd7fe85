# The program: exits with far_away(), called by its whole address. No call frame information.
	.text
	.globl _start
	.type _start, @function
_start:
	xorl %ebp, %ebp
	movabsq $far_away, %rax
	call *%rax
	movl %eax, %edi
	movl $60, %eax
	syscall
	.size _start, .-_start

	.section .note.GNU-stack,"",@progbits
