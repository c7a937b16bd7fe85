// A function's cold part is in .text.unlikely with an FDE of its own, which begins with the frame that the
// hot part made.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #1
	bl hot
	bl hot
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type hot, %function
hot:
	.cfi_startproc
	stp x29, x30, [sp, #-48]!
	.cfi_def_cfa_offset 48
	.cfi_offset x29, -48
	.cfi_offset x30, -40
	mov w29, w0
	cmp w0, #5
	b.ls 2f
	b hot.cold
2:	bl leaf
1:	add w0, w0, w29
	ldp x29, x30, [sp], #48
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size hot, .-hot

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, #4
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .text.unlikely,"ax",%progbits
	.type hot.cold, %function
hot.cold:
	.cfi_startproc
	.cfi_def_cfa_offset 48
	.cfi_offset x29, -48
	.cfi_offset x30, -40
	add w0, w0, #10
	bl leaf
	b 1b
	.cfi_endproc
	.size hot.cold, .-hot.cold

	.section .note.GNU-stack,"",%progbits
