// A code section and a COMDAT group hold nothing but a function without a form: .sframe does not refer to them at
// all.
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
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size first, .-first

	.section .text.a,"ax",%progbits
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

	.section .text.in_group,"axG",%progbits,in_group,comdat
	.weak refused_2
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

	.section .note.GNU-stack,"",%progbits
