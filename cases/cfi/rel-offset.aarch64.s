// .cfi_rel_offset counts from the register that the CFA counts from: from SP after adjustments, then from FP.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #7
	bl outer
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type outer, %function
outer:
	.cfi_startproc
	sub sp, sp, #32
	.cfi_adjust_cfa_offset 32
	stp x29, x30, [sp]
	.cfi_rel_offset x30, 8
	.cfi_rel_offset x29, 0
	sub sp, sp, #16
	.cfi_adjust_cfa_offset 16
	add x29, sp, #32
	.cfi_def_cfa x29, 16
	str w0, [sp]
	stur x30, [x29, #8]
	.cfi_rel_offset x30, 8 // from FP now
	ldr x1, [sp, #16]
	str x1, [x29]
	.cfi_rel_offset x29, 0
	stp xzr, xzr, [sp, #16] // the first copies are no more
	bl leaf
	ldr w1, [sp]
	add w0, w0, w1
	add sp, sp, #32
	.cfi_def_cfa sp, 16
	ldp x29, x30, [sp], #16
	.cfi_adjust_cfa_offset -16
	.cfi_restore x29
	.cfi_restore x30
	ret
	.cfi_endproc
	.size outer, .-outer

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, #9
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
