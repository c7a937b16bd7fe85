// Frames without a frame pointer: the CFA stays on the stack pointer through pushes, locals and pops.
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
	sub sp, sp, #48
	.cfi_def_cfa_offset 48
	str x30, [sp, #32]
	.cfi_offset x30, -16
	str w0, [sp, #12]
	bl middle
	ldr w1, [sp, #12]
	add w0, w0, w1
	ldr x30, [sp, #32]
	.cfi_restore x30
	add sp, sp, #48
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size outer, .-outer

	.type middle, %function
middle:
	.cfi_startproc
	stp x30, x19, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x30, -16
	.cfi_offset x19, -8
	mov w19, w0
	bl leaf
	bl leaf
	add w0, w0, w19
	ldp x30, x19, [sp], #16
	.cfi_restore x30
	.cfi_restore x19
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size middle, .-middle

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, w0
	add w0, w0, #2
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
