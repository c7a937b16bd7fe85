// Registers that SFrame does not track are undefined, at function entry and later.
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
	.cfi_undefined x9
	str x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x30, -16
	str x19, [sp, #8]
	.cfi_offset x19, -8
	mov w19, w0
	mov x9, #0
	mov x10, #0
	.cfi_undefined x10
	bl leaf
	add w0, w0, w19
	ldr x19, [sp, #8]
	.cfi_restore x19
	ldr x30, [sp], #16
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size outer, .-outer

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, #4
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
