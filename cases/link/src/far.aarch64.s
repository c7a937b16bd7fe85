// far_away() is 5, in a section of its own. No .eh_frame: its start fields have 32 bits and could not reach either.
	.ifdef CONTROL
	.cfi_sections .debug_frame
	.else
	.cfi_sections .sframe
	.endif
	.section .far,"ax",%progbits
	.globl far_away
	.type far_away, %function
far_away:
	.cfi_startproc
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	bl far_leaf
	add w0, w0, #1
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size far_away, .-far_away

	.type far_leaf, %function
far_leaf:
	.cfi_startproc
	nop
	mov w0, #4
	ret
	.cfi_endproc
	.size far_leaf, .-far_leaf

	.section .note.GNU-stack,"",%progbits
