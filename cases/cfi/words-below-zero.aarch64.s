// FP points so far above the CFA that the negative CFA offset needs a word of one byte, of two and of four.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #6
	bl outer
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type outer, %function
outer:
	.cfi_startproc
	str x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x30, -16
	bl below_1
	bl below_2
	ldr x30, [sp], #16
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size outer, .-outer

	.type below_1, %function
below_1:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	add x29, sp, #144
	.cfi_def_cfa x29, -128 // the last that fits one byte
	add x29, x29, #8
	.cfi_def_cfa_offset -136
	add w0, w0, #1
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	ret
	.cfi_endproc
	.size below_1, .-below_1

	.type below_2, %function
below_2:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov x29, sp
	add x29, x29, #8, lsl #12
	add x29, x29, #16
	.cfi_def_cfa x29, -32768 // the last that fits two bytes
	add x29, x29, #8
	.cfi_def_cfa_offset -32776
	add w0, w0, #1
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	ret
	.cfi_endproc
	.size below_2, .-below_2

	.section .note.GNU-stack,"",%progbits
