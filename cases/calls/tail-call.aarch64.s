// Functions leave by a jump to another function, with and without a frame of their own to take down first.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #3
	bl first
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type first, %function
first:
	.cfi_startproc
	add w0, w0, #1
	b second
	.cfi_endproc
	.size first, .-first

	.type second, %function
second:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov w29, w0
	bl leaf
	add w0, w0, w29
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	cmp w0, #100
	b.ne third // a conditional tail call
	ret
	.cfi_endproc
	.size second, .-second

	.type third, %function
third:
	.cfi_startproc
	str x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x30, -32
	str w0, [sp, #8]
	bl leaf
	ldr w1, [sp, #8]
	add w0, w0, w1
	ldr x30, [sp], #32
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	adr x16, leaf
	br x16
	.cfi_endproc
	.size third, .-third

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, #5
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
