// Several directives are between two instructions: only the state after the last of them counts.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #8
	bl shuffled
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type shuffled, %function
shuffled:
	.cfi_startproc
	stp x29, x30, [sp, #-48]!
	.cfi_adjust_cfa_offset 100
	.cfi_adjust_cfa_offset -52
	.cfi_offset x30, -16
	.cfi_offset x29, -48
	.cfi_restore x30
	.cfi_offset x30, -40
	mov x29, sp
	.cfi_def_cfa x29, 80
	.cfi_def_cfa_offset 48
	.cfi_def_cfa sp, 48
	.cfi_def_cfa_register x29
	sub sp, sp, #32
	.cfi_def_cfa sp, 80
	.cfi_def_cfa x29, 48 // there and back: nothing changed
	bl leaf
	mov sp, x29
	ldp x29, x30, [sp], #48
	.cfi_restore x30
	.cfi_restore x29
	.cfi_def_cfa_register sp
	.cfi_def_cfa_offset 800
	.cfi_adjust_cfa_offset -800
	ret
	.cfi_endproc
	.size shuffled, .-shuffled

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, #8
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
