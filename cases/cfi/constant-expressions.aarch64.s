// Offsets are constant expressions and symbols, not plain numbers.
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

	.set LOCALS, 3 * 16
	.set TEN, 5 << 1
	.type outer, %function
outer:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 2 * 8
	.cfi_offset x29, -(8 + 8)
	.cfi_offset x30, 8 - 16
	sub sp, sp, #LOCALS
	.cfi_adjust_cfa_offset LOCALS
	bl leaf
	add w0, w0, #TEN
	add sp, sp, #LOCALS
	.cfi_adjust_cfa_offset -LOCALS
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset TEN - 10
	ret
	.cfi_endproc
	.size outer, .-outer

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, #4
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
