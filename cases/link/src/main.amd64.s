# The program: exits with one() + two(). No caller, no call frame information.
	.text
	.globl _start
	.type _start, @function
_start:
	xorl %ebp, %ebp
	call one
	movl %eax, %ebx
	call two
	addl %ebx, %eax
	movl %eax, %edi
	movl $60, %eax
	syscall
	.size _start, .-_start

	.section .note.GNU-stack,"",@progbits
