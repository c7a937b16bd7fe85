// At the address where a state is restored the offset is adjusted and a register saved as well: directives after
// the restoration counts on top of it.
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
	sub sp, sp, #16
	.cfi_adjust_cfa_offset 16
	.cfi_remember_state
	stp x29, x30, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	cbz w0, 1f
	mov w29, #30
	add w0, w0, w29
	ldp x29, x30, [sp], #16
	.cfi_adjust_cfa_offset -16
	.cfi_restore x29
	.cfi_restore x30
	add sp, sp, #16
	.cfi_adjust_cfa_offset -16
	ret
1:	.cfi_restore_state
	.cfi_adjust_cfa_offset 16
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	mov w29, #2
	mov w0, w29
	ldp x29, x30, [sp], #16
	.cfi_adjust_cfa_offset -16
	.cfi_restore x29
	.cfi_restore x30
	add sp, sp, #16
	.cfi_adjust_cfa_offset -16
	ret
	.cfi_endproc
	.size pick, .-pick

	.section .note.GNU-stack,"",%progbits
