// Callee-saved registers, FP among them, are saved in orders and at places no compiler picks.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #1
	bl odd_order
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type odd_order, %function
odd_order:
	.cfi_startproc
	stp x20, x30, [sp, #-48]!
	.cfi_def_cfa_offset 48
	.cfi_offset x20, -48
	.cfi_offset x30, -40
	stp x19, x29, [sp, #16]
	.cfi_offset x19, -32
	.cfi_offset x29, -24
	mov w29, w0 // FP as a plain register
	add w19, w0, #1
	bl slots
	add w0, w0, w19
	add w0, w0, w29
	ldp x19, x29, [sp, #16]
	.cfi_restore x19
	.cfi_restore x29
	ldp x20, x30, [sp], #48
	.cfi_restore x20
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size odd_order, .-odd_order

	.type slots, %function
slots:
	.cfi_startproc
	sub sp, sp, #64
	.cfi_def_cfa_offset 64
	stp x30, x29, [sp] // RA below FP
	.cfi_offset x30, -64
	.cfi_offset x29, -56
	str x19, [sp, #56]
	.cfi_offset x19, -8
	add w29, w0, #4
	mov w0, w29
	bl last_first
	add w0, w0, w29
	ldr x19, [sp, #56]
	.cfi_restore x19
	ldr x29, [sp, #8]
	.cfi_restore x29
	ldr x30, [sp]
	.cfi_restore x30
	add sp, sp, #64
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size slots, .-slots

	.type last_first, %function
last_first:
	.cfi_startproc
	str x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x30, -32
	str x29, [sp, #24]
	.cfi_offset x29, -8
	add w29, w0, #8
	mov w30, wzr
	mov w0, w29
	ldr x29, [sp, #24]
	.cfi_restore x29
	ldr x30, [sp], #32
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size last_first, .-last_first

	.section .note.GNU-stack,"",%progbits
