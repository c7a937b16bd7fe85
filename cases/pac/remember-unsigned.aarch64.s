// The unsigned state is remembered before the signing, so that the early return without a signature is unsigned
// again.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #0
	bl pick
	mov w19, w0
	mov w0, #1
	bl pick
	add w0, w0, w19
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type pick, %function
pick:
	.cfi_startproc
	nop
	.cfi_remember_state
	cbz w0, 1f
	hint #25 // paciasp
	.cfi_negate_ra_state
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	bl leaf
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	hint #29 // autiasp
	.cfi_negate_ra_state
	ret
1:	.cfi_restore_state
	mov w0, #3
	ret
	.cfi_endproc
	.size pick, .-pick

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, #4
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
