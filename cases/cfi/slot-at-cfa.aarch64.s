// FP is saved at the CFA itself and above it, in the argument area that the caller made for the function.
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
	sub sp, sp, #48
	.cfi_def_cfa_offset 48
	str x30, [sp, #32]
	.cfi_offset x30, -16
	bl at_cfa
	bl above_cfa
	ldr x30, [sp, #32]
	.cfi_restore x30
	add sp, sp, #48
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size outer, .-outer

	.type at_cfa, %function
at_cfa:
	.cfi_startproc
	str x30, [sp, #8]
	.cfi_offset x30, 8
	str x29, [sp]
	.cfi_offset x29, 0
	mov w29, #8
	add w0, w0, w29
	mov x30, #0
	ldr x29, [sp]
	.cfi_restore x29
	ldr x30, [sp, #8]
	.cfi_restore x30
	ret
	.cfi_endproc
	.size at_cfa, .-at_cfa

	.type above_cfa, %function
above_cfa:
	.cfi_startproc
	str x30, [sp]
	.cfi_offset x30, 0
	str x29, [sp, #8]
	.cfi_offset x29, 8
	mov w29, #8
	add w0, w0, w29
	mov x30, #0
	ldr x29, [sp, #8]
	.cfi_restore x29
	ldr x30, [sp]
	.cfi_restore x30
	ret
	.cfi_endproc
	.size above_cfa, .-above_cfa

	.section .note.GNU-stack,"",%progbits
