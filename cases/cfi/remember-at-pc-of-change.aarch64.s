// States are remembered at the address of the very change they have to hold, and restored one after the other.
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
	stp x29, x30, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	.cfi_remember_state // before FP and RA are said to be saved
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	.cfi_remember_state // and after
	mov w29, #9
	cbz w0, 1f
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_adjust_cfa_offset -16
	mov w0, #6
	ret
1:	.cfi_restore_state
	mov w0, w29
	ldp x29, x30, [sp]
	nop
	.cfi_restore_state
	add sp, sp, #16
	.cfi_adjust_cfa_offset -16
	ret
	.cfi_endproc
	.size pick, .-pick

	.section .note.GNU-stack,"",%progbits
