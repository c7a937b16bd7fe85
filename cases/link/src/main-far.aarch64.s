// The program: exits with far_away(), called by its whole address. No call frame information.
	.text
	.globl _start
	.type _start, %function
_start:
	nop
	mov x29, #0
	ldr x0, =far_away
	blr x0
	mov x8, #93
	svc #0
	.size _start, .-_start
	.ltorg

	.section .note.GNU-stack,"",%progbits
