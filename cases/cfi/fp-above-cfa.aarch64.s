// FP points above the CFA or straight at it, so that the offset of the CFA is negative or zero.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #9
	bl below
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type below, %function
below:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	add x29, sp, #48
	.cfi_def_cfa x29, -32
	sub sp, sp, #32
	bl at
	add sp, sp, #32
	.cfi_def_cfa sp, 16
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size below, .-below

	.type at, %function
at:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	add x29, sp, #16
	.cfi_def_cfa x29, 0
	bl leaf
	add w0, w0, #9
	sub sp, x29, #16
	.cfi_def_cfa sp, 16
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size at, .-at

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, #9
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
