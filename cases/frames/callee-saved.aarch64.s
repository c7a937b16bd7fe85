// Registers that a call preserves are saved, pairs among them, in an order of their own, and restored
// on two ways out.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov x19, #1
	mov x20, #2
	mov x21, #3
	mov x22, #4
	mov x23, #5
	fmov d8, x22
	fmov d9, x23
	mov w0, #1
	bl save
	mov w0, #0
	bl save
	add x0, x19, x20
	add x0, x0, x21
	add x0, x0, x22
	add x0, x0, x23
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type save, %function
save:
	.cfi_startproc
	stp x29, x30, [sp, #-96]!
	.cfi_def_cfa_offset 96
	.cfi_offset x29, -96
	.cfi_offset x30, -88
	stp x20, x19, [sp, #16]
	.cfi_offset x20, -80
	.cfi_offset x19, -72
	mov x19, #100
	str x23, [sp, #32]
	.cfi_offset x23, -64
	stp d9, d8, [sp, #40]
	.cfi_offset 73, -56
	.cfi_offset 72, -48
	fmov d8, x19
	stp x21, x22, [sp, #64]
	.cfi_offset x21, -32
	.cfi_offset x22, -24
	mov x20, #101
	mov x21, #102
	mov x22, #103
	mov x23, #104
	fmov d9, x23
	bl touch
	cbz w0, 1f
	.cfi_remember_state
	ldp d9, d8, [sp, #40]
	.cfi_restore 73
	.cfi_restore 72
	ldp x21, x22, [sp, #64]
	.cfi_restore x21
	.cfi_restore x22
	ldr x23, [sp, #32]
	.cfi_restore x23
	ldp x20, x19, [sp, #16]
	.cfi_restore x20
	.cfi_restore x19
	ldp x29, x30, [sp], #96
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
1:	.cfi_restore_state
	bl touch
	ldp x20, x19, [sp, #16]
	.cfi_restore x20
	.cfi_restore x19
	ldr x23, [sp, #32]
	.cfi_restore x23
	ldp x21, x22, [sp, #64]
	.cfi_restore x21
	.cfi_restore x22
	ldp d9, d8, [sp, #40]
	.cfi_restore 73
	.cfi_restore 72
	ldp x29, x30, [sp], #96
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size save, .-save

	.type touch, %function
touch:
	.cfi_startproc
	ret
	.cfi_endproc
	.size touch, .-touch

	.section .note.GNU-stack,"",%progbits
