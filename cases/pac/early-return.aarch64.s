// The signed state is remembered and restored around an early return, and an unsigned function is between
// signed ones.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #0
	bl guarded
	mov w19, w0
	mov w0, #9
	bl guarded
	add w0, w0, w19
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type guarded, %function
guarded:
	.cfi_startproc
	hint #25 // paciasp
	.cfi_negate_ra_state
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	cbnz w0, 1f
	.cfi_remember_state
	mov w0, #8
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	hint #29 // autiasp
	.cfi_negate_ra_state
	ret
1:	.cfi_restore_state
	bl plain
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	hint #29 // autiasp
	.cfi_negate_ra_state
	ret
	.cfi_endproc
	.size guarded, .-guarded

	.type plain, %function
plain:
	.cfi_startproc
	str x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x30, -16
	bl signed_leaf
	add w0, w0, #3
	ldr x30, [sp], #16
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size plain, .-plain

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
