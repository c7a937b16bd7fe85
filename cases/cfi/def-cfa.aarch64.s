// Each change of the CFA is stated whole, by .cfi_def_cfa, register and offset anew.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #9
	bl outer
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type outer, %function
outer:
	.cfi_startproc
	sub sp, sp, #32
	.cfi_def_cfa sp, 32
	stp x29, x30, [sp]
	.cfi_offset x30, -24
	.cfi_offset x29, -32
	add x29, sp, #16
	.cfi_def_cfa x29, 16
	str w0, [sp, #16]
	sub sp, sp, #16
	.cfi_def_cfa sp, 48 // SP serves again
	bl leaf
	add sp, sp, #16
	.cfi_def_cfa x29, 16
	ldr w1, [sp, #16]
	add w0, w0, w1
	.cfi_def_cfa sp, 32
	ldp x29, x30, [sp]
	.cfi_restore x29
	.cfi_restore x30
	add sp, sp, #32
	.cfi_def_cfa sp, 0
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
