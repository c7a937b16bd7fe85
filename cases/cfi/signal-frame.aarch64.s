// A function marked as a signal frame is called in the ordinary way; its caller stays in one row around the
// call, so that looking it up exactly is right too.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #10
	bl caller
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type caller, %function
caller:
	.cfi_startproc
	str x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x30, -32
	bl marked
	nop
	add w0, w0, #5
	ldr x30, [sp], #32
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size caller, .-caller

	.type marked, %function
marked:
	.cfi_startproc
	.cfi_signal_frame
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov w29, w0
	bl leaf
	add w0, w0, w29
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size marked, .-marked

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, #5
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
