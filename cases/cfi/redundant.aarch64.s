// Directives say again what holds already; rows may repeat, but what they say does not change.
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
	.cfi_def_cfa sp, 0
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x30, -8
	.cfi_offset x29, -16
	nop
	.cfi_def_cfa_offset 16
	nop
	.cfi_def_cfa sp, 16
	.cfi_offset x30, -8
	nop
	.cfi_def_cfa_register sp
	.cfi_adjust_cfa_offset 0
	bl leaf
	ldp x29, x30, [sp], #16
	.cfi_def_cfa_offset 0
	.cfi_restore x29
	.cfi_restore x30
	nop
	.cfi_restore x30
	.cfi_same_value x29
	ret
	.cfi_endproc
	.size outer, .-outer

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, #5
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
