// A callee-saved register that SFrame does not track is parked in another register.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #6
	bl parks
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type parks, %function
parks:
	.cfi_startproc
	mov x9, x19
	.cfi_register x19, x9
	mov w19, w0
	add w0, w19, w19
	mov x19, x9
	.cfi_restore x19
	ret
	.cfi_endproc
	.size parks, .-parks

	.section .note.GNU-stack,"",%progbits
