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

	handler_begins handler
	mov x8, #172
	svc #0
	mov x1, #12
	mov x8, #129
	svc #0
	handler_ends handler, 3

	handler_begins inner
	bl below
	handler_ends inner, 5

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
