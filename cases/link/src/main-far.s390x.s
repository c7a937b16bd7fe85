# The program: exits with far_away(), called by its whole address. No call frame information.
	.text
	.globl _start
	.type _start, @function
_start:
	aghi %r15, -160
	lghi %r11, 0
	lgrl %r1, .Lfar
	basr %r14, %r1
	svc 1
	.size _start, .-_start

	.section .rodata,"a",@progbits
	.balign 8
.Lfar:	.quad far_away

	.section .note.GNU-stack,"",@progbits
