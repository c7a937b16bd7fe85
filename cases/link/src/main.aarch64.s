// The program: exits with one() + two(). No caller, no call frame information.
	.text
	.globl _start
	.type _start, %function
_start:
	nop
	mov x29, #0
	bl one
	mov w19, w0
	bl two
	add w0, w0, w19
	mov x8, #93
	svc #0
	.size _start, .-_start

	.section .note.GNU-stack,"",%progbits
