	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	bl test
	and w0, w0, #127
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.section .note.GNU-stack,"",%progbits
