// Two adjacent functions cannot be encoded, nor can the last of the file: the functions before, between and after
// them keep their own rows.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #6
	bl first
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type first, %function
first:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	sub x29, sp, #16 // what the functions called say of it: CFA-16
	bl refused_1
	bl refused_2
	bl second
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size first, .-first

	.type refused_1, %function
refused_1:
	.cfi_startproc
	.cfi_val_offset x29, -16
	mov w29, #1
	add w0, w0, w29
	sub x29, sp, #16
	.cfi_restore x29
	ret
	.cfi_endproc
	.size refused_1, .-refused_1

	.type refused_2, %function
refused_2:
	.cfi_startproc
	.cfi_val_offset x29, -16
	mov w29, #2
	add w0, w0, w29
	sub x29, sp, #16
	.cfi_restore x29
	ret
	.cfi_endproc
	.size refused_2, .-refused_2

	.type second, %function
second:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	sub x29, sp, #16 // what the functions called say of it: CFA-16
	bl refused_3
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size second, .-second

	.type refused_3, %function
refused_3:
	.cfi_startproc
	.cfi_val_offset x29, -16
	mov w29, #3
	add w0, w0, w29
	sub x29, sp, #16
	.cfi_restore x29
	ret
	.cfi_endproc
	.size refused_3, .-refused_3

	.section .note.GNU-stack,"",%progbits
