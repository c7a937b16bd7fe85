// A throw as libgcc does it: a function writes a handler of an outer frame over its own return address and saved
// registers, and then returns as if it had been called from there. Its rows name the right slots and are not wrong.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	bl catcher
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type catcher, %function
catcher:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov x29, sp
	.cfi_def_cfa_register x29
	mov x3, sp
	adr x1, 1f
	mov x2, x29
	bl middle
	mov w0, #1 // not reached
1: mov w0, #33
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	ret
	.cfi_endproc
	.size catcher, .-catcher

	.type middle, %function
middle:
	.cfi_startproc
	str x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x30, -16
	bl raise
	ldr x30, [sp], #16 // not reached
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size middle, .-middle

	.type raise, %function
raise:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov x29, #7
	str x2, [sp]
	str x1, [sp, #8]
	bl leaf
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	mov sp, x3 // no row can say where the frame is now
	ret
	.cfi_endproc
	.size raise, .-raise

	.type leaf, %function
leaf:
	.cfi_startproc
	nop
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
