// An escape says by DW_CFA_val_expression what the value of a register is that SFrame does not track.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	sub x19, sp, #16 // what value's CFI says of it: CFA-16
	mov w0, #6
	bl value
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type value, %function
value:
	.cfi_startproc
	.cfi_escape 0x16, 0x13, 0x02, 0x40, 0x1c // x19 = CFA-16
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
	add w0, w0, #4
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
