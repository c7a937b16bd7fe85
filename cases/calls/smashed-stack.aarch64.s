// A function writes past its buffer: over a saved frame pointer and a return address. The function whose they were
// returns to where the program never called anything. The tables name the right slots and are not wrong.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	bl outer
	mov w0, #1 // not reached
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type outer, %function
outer:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov x29, sp
	.cfi_def_cfa_register x29
	bl victim
	nop
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	ret
	.cfi_endproc
	.size outer, .-outer

	.type victim, %function
victim:
	.cfi_startproc
	stp x29, x30, [sp, #-48]!
	.cfi_def_cfa_offset 48
	.cfi_offset x29, -48
	.cfi_offset x30, -40
	mov x29, sp
	.cfi_def_cfa_register x29
	add x0, sp, #16
	bl fill
	ldp x29, x30, [sp], #48
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	ret
	.cfi_endproc
	.size victim, .-victim

	.type fill, %function
fill:
	.cfi_startproc
	adrp x1, reached
	add x1, x1, :lo12:reached
	mov w2, #6 // four words of buffer, the caller's caller's FP and return address
1: str x1, [x0], #8
	subs w2, w2, #1
	b.ne 1b
	ret
	.cfi_endproc
	.size fill, .-fill

	.type reached, %function
reached:
	.cfi_startproc
	str x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x30, -16
	bl leaf
	mov x8, #93
	svc #0
	.cfi_endproc
	.size reached, .-reached

	.type leaf, %function
leaf:
	.cfi_startproc
	mov w0, #42
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
