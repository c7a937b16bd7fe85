// One function calls itself until 60 frames of it are live, then all return.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #60
	bl sum
	and w0, w0, #255
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type sum, %function
sum:
	.cfi_startproc
	cbz w0, 1f
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	mov x29, sp
	str w0, [sp, #16]
	sub w0, w0, #1
	bl sum
	ldr w1, [sp, #16]
	add w0, w0, w1
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
1:	ret
	.cfi_endproc
	.size sum, .-sum

	.section .note.GNU-stack,"",%progbits
