// Value rules that SFrame does not need: one for a register it does not track, one that says again what the ABI
// says of SP.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	sub x19, sp, #16 // what value's CFI says of it: CFA-16
	mov w0, #5
	bl value
	sub x1, sp, #16
	sub x1, x1, x19 // 0 if value kept its word
	add w0, w0, w1
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type value, %function
value:
	.cfi_startproc
	.cfi_val_offset x19, -16
	.cfi_val_offset sp, 0
	mov w19, w0
	str x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x30, -16
	bl leaf
	add w0, w0, w19
	ldr x30, [sp], #16
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	sub x19, sp, #16
	.cfi_restore x19
	ret
	.cfi_endproc
	.size value, .-value

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, #5
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
