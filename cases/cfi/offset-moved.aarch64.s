// A saved register moves: .cfi_offset of FP, and of RA where it is tracked, is given again with another slot.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #5
	bl outer
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type outer, %function
outer:
	.cfi_startproc
	stp x29, x30, [sp, #-48]!
	.cfi_def_cfa_offset 48
	.cfi_offset x29, -48
	.cfi_offset x30, -40
	stp x29, x30, [sp, #32]
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	stp xzr, xzr, [sp] // the first copies are no more
	mov w29, w0
	bl leaf
	add w0, w0, w29
	ldp x29, x30, [sp, #32]
	.cfi_restore x29
	.cfi_restore x30
	stp x30, x29, [sp, #16]
	.cfi_offset x30, -32
	.cfi_offset x29, -24
	mov w29, #3
	add w0, w0, w29
	ldp x30, x29, [sp, #16]
	.cfi_restore x29
	.cfi_restore x30
	add sp, sp, #48
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size outer, .-outer

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, #9
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
