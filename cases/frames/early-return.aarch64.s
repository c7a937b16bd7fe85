// A function returns early on one path: the state is remembered before the first epilogue and restored after it.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #0
	bl guarded
	mov w19, w0
	mov w0, #1
	bl guarded
	add w19, w19, w0
	mov w0, #9
	bl guarded
	add w0, w0, w19
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type guarded, %function
guarded:
	.cfi_startproc
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	mov x29, sp
	.cfi_def_cfa_register x29
	cbnz w0, 1f
	.cfi_remember_state
	mov w0, #3
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	ret
1:	.cfi_restore_state
	str x19, [sp, #16]
	.cfi_offset x19, -16
	mov w19, w0
	bl leaf
	cmp w19, #1
	b.ne 2f
	.cfi_remember_state
	ldr x19, [sp, #16]
	.cfi_restore x19
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	ret
2:	.cfi_restore_state
	add w0, w0, w19
	ldr x19, [sp, #16]
	.cfi_restore x19
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	ret
	.cfi_endproc
	.size guarded, .-guarded

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, #2
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
