// A state is remembered and never restored; the one remembered after it is.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #0
	bl pick
	mov w19, w0
	mov w0, #1
	bl pick
	add w0, w0, w19
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type pick, %function
pick:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	.cfi_remember_state // for ever
	mov w29, #20
	add w29, w29, w0
	.cfi_remember_state
	cbz w0, 1f
	mov w0, w29
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
1:	.cfi_restore_state
	add w0, w29, #1
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size pick, .-pick

	.section .note.GNU-stack,"",%progbits
