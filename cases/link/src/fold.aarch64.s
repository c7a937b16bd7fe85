// one() and two() call same_a() and same_b(), whose code is the same.
	.section .text.one,"ax",%progbits
	.globl one
	.type one, %function
one:
	.cfi_startproc
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	bl same_a
	add w0, w0, #1
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size one, .-one

	.section .text.two,"ax",%progbits
	.globl two
	.type two, %function
two:
	.cfi_startproc
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	bl same_b
	add w0, w0, #2
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size two, .-two

	.section .text.same_a,"ax",%progbits
	.globl same_a
	.type same_a, %function
same_a:
	.cfi_startproc
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	bl base
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size same_a, .-same_a

	.section .text.same_b,"ax",%progbits
	.globl same_b
	.type same_b, %function
same_b:
	.cfi_startproc
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	bl base
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size same_b, .-same_b

	.section .text.base,"ax",%progbits
	.type base, %function
base:
	.cfi_startproc
	nop
	mov w0, #2
	ret
	.cfi_endproc
	.size base, .-base

	.section .note.GNU-stack,"",%progbits
