// Four states are remembered one inside the other and restored in the opposite order.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w19, #0
	mov w20, #0
1:	mov w0, w20
	bl pick
	add w19, w19, w0
	add w20, w20, #1
	cmp w20, #5
	b.ne 1b
	mov w0, w19
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type pick, %function
pick:
	.cfi_startproc
	nop
	.cfi_remember_state // 1: nothing saved
	cbz w0, 5f
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	.cfi_remember_state // 2: FP and RA saved
	cmp w0, #1
	b.eq 4f
	mov x29, sp
	.cfi_def_cfa_register x29
	.cfi_remember_state // 3: CFA in FP
	cmp w0, #2
	b.eq 3f
	ldp x29, x30, [sp]
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 16
	sub sp, sp, #32
	.cfi_def_cfa_offset 48
	.cfi_remember_state // 4: locals
	cmp w0, #3
	b.eq 2f
	add sp, sp, #48
	.cfi_def_cfa_offset 0
	mov w0, #5
	ret
2:	.cfi_restore_state // 4
	add sp, sp, #48
	.cfi_def_cfa_offset 0
	mov w0, #4
	ret
3:	.cfi_restore_state // 3
	mov w0, #3
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	ret
4:	.cfi_restore_state // 2
	mov w0, #2
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
5:	.cfi_restore_state // 1
	mov w0, #1
	ret
	.cfi_endproc
	.size pick, .-pick

	.section .note.GNU-stack,"",%progbits
