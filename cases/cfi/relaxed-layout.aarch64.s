// Rows start after jumps whose length, and after padding whose size, is known only when the whole section is laid
// out; the function grows past 255 bytes by it.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #6
	bl hops
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type hops, %function
hops:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov w29, w0
	b 2f
	.p2align 5
1:	.cfi_def_cfa_offset 32
	add w0, w29, #1
	add sp, sp, #16
	.cfi_def_cfa_offset 16
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.skip 90
	.p2align 4
2:	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	sub sp, sp, #16
	.cfi_def_cfa_offset 32
	bl leaf
	mov w29, w0
	.p2align 4
	b 1b
	.skip 40
	.cfi_endproc
	.size hops, .-hops

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, #4
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
