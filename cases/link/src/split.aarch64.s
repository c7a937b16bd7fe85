// one() is 3 and does its work in a cold part elsewhere; dead() is called by nobody, and has a cold part too.
	.section .text.one,"ax",%progbits
	.globl one
	.type one, %function
one:
	.cfi_startproc
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	b one.cold
.Lback:
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size one, .-one

	.section .text.unlikely.one,"ax",%progbits
	.type one.cold, %function
one.cold:
	.cfi_startproc
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	bl one_leaf
	add w0, w0, #1
	b .Lback
	.cfi_endproc
	.size one.cold, .-one.cold

	.section .text.leaf,"ax",%progbits
	.type one_leaf, %function
one_leaf:
	.cfi_startproc
	nop
	mov w0, #2
	ret
	.cfi_endproc
	.size one_leaf, .-one_leaf

	.section .text.dead,"ax",%progbits
	.globl dead
	.type dead, %function
dead:
	.cfi_startproc
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	b dead.cold
.Lalive:
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size dead, .-dead

	.section .text.unlikely.dead,"ax",%progbits
	.type dead.cold, %function
dead.cold:
	.cfi_startproc
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	add w0, w0, #1
	b .Lalive
	.cfi_endproc
	.size dead.cold, .-dead.cold

	.section .note.GNU-stack,"",%progbits
