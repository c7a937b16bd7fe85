// A switch with three arms, each with an epilogue of its own shape; execution takes all of them.
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
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	str x19, [sp, #16]
	.cfi_offset x19, -16
	mov w19, w0
	bl leaf
	cmp w19, #1
	b.eq 1f
	b.hi 2f
	.cfi_remember_state
	ldr x19, [sp, #16]
	.cfi_restore x19
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
1:	.cfi_restore_state
	add w0, w0, #10
	.cfi_remember_state
	ldr x29, [sp]
	.cfi_restore x29
	ldp x30, x19, [sp, #8]
	.cfi_restore x30
	.cfi_restore x19
	add sp, sp, #32
	.cfi_def_cfa_offset 0
	ret
2:	.cfi_restore_state
	add w0, w0, #20
	ldr x19, [sp, #16]
	.cfi_restore x19
	ldp x29, x30, [sp]
	.cfi_restore x29
	.cfi_restore x30
	add sp, sp, #32
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size pick, .-pick

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, #11
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
