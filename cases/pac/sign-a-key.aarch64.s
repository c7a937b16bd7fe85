// Return addresses are signed with key A on entry and authenticated before the return; a leaf signs without
// saving.
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
	hint #25 // paciasp
	.cfi_negate_ra_state
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	mov x29, sp
	.cfi_def_cfa_register x29
	str x19, [sp, #16]
	.cfi_offset x19, -16
	mov w19, w0
	bl inner
	add w0, w0, w19
	ldr x19, [sp, #16]
	.cfi_restore x19
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	hint #29 // autiasp
	.cfi_negate_ra_state
	ret
	.cfi_endproc
	.size outer, .-outer

	.type inner, %function
inner:
	.cfi_startproc
	hint #25 // paciasp
	.cfi_negate_ra_state
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	mov x29, sp
	.cfi_def_cfa_register x29
	str x19, [sp, #16]
	.cfi_offset x19, -16
	mov w19, w0
	bl signed_leaf
	add w0, w0, w19
	ldr x19, [sp, #16]
	.cfi_restore x19
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	hint #29 // autiasp
	.cfi_negate_ra_state
	ret
	.cfi_endproc
	.size inner, .-inner

	.type signed_leaf, %function
signed_leaf:
	.cfi_startproc
	hint #25 // paciasp
	.cfi_negate_ra_state
	add w0, w0, #2
	hint #29 // autiasp
	.cfi_negate_ra_state
	ret
	.cfi_endproc
	.size signed_leaf, .-signed_leaf

	.section .note.GNU-stack,"",%progbits
