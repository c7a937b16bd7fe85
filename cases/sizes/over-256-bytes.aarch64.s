// A function longer than 255 bytes, with rows after that offset: row starts need two bytes.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #9
	bl big
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type big, %function
big:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov w29, w0
	bl leaf
	b 1f
	.skip 300
1:	stp x19, x20, [sp, #-16]!
	.cfi_def_cfa_offset 32
	.cfi_offset x19, -32
	.cfi_offset x20, -24
	mov w19, w0
	mov w0, w29
	bl leaf // beyond the offset that a smaller row start could hold
	add w0, w0, w19
	ldp x19, x20, [sp], #16
	.cfi_restore x19
	.cfi_restore x20
	.cfi_def_cfa_offset 16
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size big, .-big

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, #3
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
