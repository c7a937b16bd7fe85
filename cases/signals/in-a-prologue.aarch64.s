// A signal comes between the lowering of SP and the first save, and between the last restore and the raising: there no slot of the
// frame holds anything.
	.include "start/start.aarch64.s"

	.type test, %function
test:
	.cfi_startproc
	str x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x30, -32
	bl slow
	ldr x30, [sp], #32
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size test, .-test

	.type slow, %function
slow:
	.cfi_startproc
	sub sp, sp, #48
	.cfi_def_cfa_offset 48
	mov x8, #172
	svc #0
	mov x1, #10
	mov x8, #129
	svc #0
	stp x29, x30, [sp, #32]
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov w29, #4
	adrp x9, count
	ldr w10, [x9, :lo12:count]
	add w10, w10, w29
	str w10, [x9, :lo12:count]
	ldp x29, x30, [sp, #32]
	.cfi_restore x29
	.cfi_restore x30
	mov x8, #172
	svc #0
	mov x1, #10
	mov x8, #129
	svc #0
	add sp, sp, #48
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size slow, .-slow

	handler_begins handler
	handler_ends handler, 3

	.data
	.balign 16
action:
	.quad handler, 0x4000004, restorer + 4, 0

	.section .note.GNU-stack,"",%progbits
