// The caller's FP is not saved anywhere: an escape of DW_CFA_val_offset gives its value, the CFA plus a constant,
// which no row can encode.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #6
	bl before
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type before, %function
before:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	sub x29, sp, #16 // what lends_fp gives: CFA-16
	bl lends_fp
	bl after
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size before, .-before

	.type lends_fp, %function
lends_fp:
	.cfi_startproc
	.cfi_escape 0x14, 0x1d, 0x02 // FP = CFA-16
	mov w29, #4
	add w0, w0, w29
	sub x29, sp, #16
	.cfi_restore x29
	ret
	.cfi_endproc
	.size lends_fp, .-lends_fp

	.type after, %function
after:
	.cfi_startproc
	sub sp, sp, #32
	.cfi_def_cfa_offset 32
	add w0, w0, #3
	add sp, sp, #32
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size after, .-after

	.section .note.GNU-stack,"",%progbits
