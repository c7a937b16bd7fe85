// Two functions with frames of different size and kind call each other in turn.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #21
	bl is_odd
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type is_even, %function
is_even:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov x29, sp
	.cfi_def_cfa_register x29
	cbz w0, 1f
	sub w0, w0, #1
	bl is_odd
	add w0, w0, #1
1:	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	ret
	.cfi_endproc
	.size is_even, .-is_even

	.type is_odd, %function
is_odd:
	.cfi_startproc
	str x30, [sp, #-64]!
	.cfi_def_cfa_offset 64
	.cfi_offset x30, -64
	cbz w0, 1f
	sub w0, w0, #1
	bl is_even
	add w0, w0, #1
1:	ldr x30, [sp], #64
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size is_odd, .-is_odd

	.section .note.GNU-stack,"",%progbits
