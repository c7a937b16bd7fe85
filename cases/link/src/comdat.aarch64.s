// one(), or two() where SECOND is defined, each calling inl() of a COMDAT group that both objects have. FIRST puts that before the others.
	.macro group
	.section .text.inl,"axG",%progbits,inl,comdat
	.weak inl
	.type inl, %function
inl:
	.cfi_startproc
	nop
	mov w0, #2
	ret
	.cfi_endproc
	.size inl, .-inl
	.endm

	.ifdef FIRST
	group
	.endif
	.ifdef SECOND
	.section .text.two,"ax",%progbits
	.globl two
	.type two, %function
two:
	.else
	.section .text.one,"ax",%progbits
	.globl one
	.type one, %function
one:
	.endif
	.cfi_startproc
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	bl inl
	.ifdef SECOND
	add w0, w0, #2
	.else
	add w0, w0, #1
	.endif
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.ifdef SECOND
	.size two, .-two
	.else
	.size one, .-one
	.endif

	.ifndef FIRST
	group
	.endif

	.section .note.GNU-stack,"",%progbits
