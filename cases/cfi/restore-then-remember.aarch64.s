// A state is restored and remembered again at one address, as compilers do between two early returns.
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
	cmp w20, #3
	b.ne 1b
	mov w0, w19
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type pick, %function
pick:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov w29, w0
	bl leaf
	cmp w29, #1
	b.eq 1f
	b.hi 2f
	.cfi_remember_state
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
1:	.cfi_restore_state
	.cfi_remember_state // at the address of the restore
	add w0, w0, #10
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
2:	.cfi_restore_state
	add w0, w0, w29
	add w0, w0, w29
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size pick, .-pick

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, w0
	add w0, w0, #9
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
