# The program: exits with one() + two(). No caller, no call frame information.
	.text
	.globl _start
	.type _start, @function
_start:
	aghi %r15, -160
	lghi %r11, 0
	brasl %r14, one
	lgr %r12, %r2
	brasl %r14, two
	agr %r2, %r12
	svc 1
	.size _start, .-_start

	.section .note.GNU-stack,"",@progbits
