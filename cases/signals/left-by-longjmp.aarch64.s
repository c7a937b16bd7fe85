// A handler is not returned from: it jumps back to an earlier call's return, and the frames of the signal are dropped.
	.include "start/start.aarch64.s"

	.type test, %function
test:
	.cfi_startproc
	str x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x30, -32
	bl keep
	cbnz x0, 1f
	bl deeper
	adrp x9, count
	ldr w10, [x9, :lo12:count]
	add w10, w10, #64
	str w10, [x9, :lo12:count]
1:
	ldr x30, [sp], #32
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size test, .-test

	.type deeper, %function
deeper:
	.cfi_startproc
	str x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x30, -32
	mov x8, #172
	svc #0
	mov x1, #10
	mov x8, #129
	svc #0
	adrp x9, count
	ldr w10, [x9, :lo12:count]
	add w10, w10, #32
	str w10, [x9, :lo12:count]
	ldr x30, [sp], #32
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size deeper, .-deeper

	.type keep, %function
keep:
	.cfi_startproc
	adrp x9, place
	add x9, x9, :lo12:place
	mov x10, sp
	stp x30, x10, [x9]
	str x29, [x9, #16]
	mov x0, #0
	ret
	.cfi_endproc
	.size keep, .-keep

	.type handler, %function
handler:
	.cfi_startproc
	str x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x30, -32
	bl leave
	ldr x30, [sp], #32
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size handler, .-handler

	.type leave, %function
leave:
	.cfi_startproc
	adrp x9, count
	ldr w10, [x9, :lo12:count]
	add w10, w10, #5
	str w10, [x9, :lo12:count]
	adrp x9, place
	add x9, x9, :lo12:place
	mov x0, #1
	ldp x30, x10, [x9]
	ldr x29, [x9, #16]
	mov sp, x10
	ret
	.cfi_endproc
	.size leave, .-leave

	.data
	.balign 16
action:
	.quad handler, 0x44000004, restorer + 4, 0
place:
	.quad 0, 0, 0

	.section .note.GNU-stack,"",%progbits
