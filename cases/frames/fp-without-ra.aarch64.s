// FP is saved and used as a plain register while the return address stays where the call left it, or is saved
// later.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #3
	bl leaf_uses_fp
	bl fp_then_ra
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type leaf_uses_fp, %function
leaf_uses_fp:
	.cfi_startproc
	str x29, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	add w29, w0, #4 // FP as a plain register
	add w0, w29, w0
	ldr x29, [sp], #16
	.cfi_restore x29
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size leaf_uses_fp, .-leaf_uses_fp

	.type fp_then_ra, %function
fp_then_ra:
	.cfi_startproc
	str x29, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	add w29, w0, #5
	str x30, [sp, #8]
	.cfi_offset x30, -24
	bl leaf
	add w0, w0, w29
	ldr x30, [sp, #8]
	.cfi_restore x30
	ldr x29, [sp], #32
	.cfi_restore x29
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size fp_then_ra, .-fp_then_ra

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, #1
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
