// A handler is itself interrupted by another signal: two signals' frames are in one chain.
	.include "start/start.aarch64.s"

	.type test, %function
test:
	.cfi_startproc
	str x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x30, -32
	mov x0, #12
	adrp x1, second
	add x1, x1, :lo12:second
	mov x2, #0
	mov x3, #8
	mov x8, #134
	svc #0
	mov x8, #172
	svc #0
	mov x1, #10
	mov x8, #129
	svc #0
	ldr x30, [sp], #32
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size test, .-test

	.type handler, %function
handler:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov w29, w0
	mov x8, #172
	svc #0
	mov x1, #12
	mov x8, #129
	svc #0
	adrp x9, count
	ldr w10, [x9, :lo12:count]
	add w10, w10, #3
	str w10, [x9, :lo12:count]
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size handler, .-handler

	.type inner, %function
inner:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov w29, w0
	bl below
	adrp x9, count
	ldr w10, [x9, :lo12:count]
	add w10, w10, #5
	str w10, [x9, :lo12:count]
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size inner, .-inner

	.type below, %function
below:
	.cfi_startproc
	adrp x9, count
	ldr w10, [x9, :lo12:count]
	add w10, w10, #2
	str w10, [x9, :lo12:count]
	ret
	.cfi_endproc
	.size below, .-below

	.data
	.balign 16
action:
	.quad handler, 0x4000004, restorer + 4, 0
second:
	.quad inner, 0x4000004, restorer + 4, 0

	.section .note.GNU-stack,"",%progbits
