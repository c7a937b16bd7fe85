// .cfi_adjust_cfa_offset goes up, down and by nothing, on SP and on FP.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #4
	bl outer
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type outer, %function
outer:
	.cfi_startproc
	str x30, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	.cfi_offset x30, -16
	str x29, [sp, #8]
	.cfi_offset x29, -8
	sub sp, sp, #48
	.cfi_adjust_cfa_offset 48
	add x29, sp, #32
	.cfi_def_cfa_register x29
	.cfi_adjust_cfa_offset -32
	str w0, [sp]
	nop
	.cfi_adjust_cfa_offset 0
	bl leaf
	ldr w1, [sp]
	add w0, w0, w1
	add sp, sp, #48
	.cfi_def_cfa sp, 64
	.cfi_adjust_cfa_offset -48
	ldr x29, [sp, #8]
	.cfi_restore x29
	ldr x30, [sp], #16
	.cfi_restore x30
	.cfi_adjust_cfa_offset -16
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
