// one(), or two() where SECOND is defined, each with a local function of the same name that differs.
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
	bl helper
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

	.type helper, %function
helper:
	.cfi_startproc
	.ifdef SECOND
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	mov w0, #4
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.else
	stp x29, x30, [sp, #-48]!
	.cfi_def_cfa_offset 48
	.cfi_offset x29, -48
	.cfi_offset x30, -40
	mov x29, sp
	.cfi_def_cfa_register x29
	mov w0, #3
	ldp x29, x30, [sp], #48
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	ret
	.endif
	.cfi_endproc
	.size helper, .-helper

	.section .note.GNU-stack,"",%progbits
