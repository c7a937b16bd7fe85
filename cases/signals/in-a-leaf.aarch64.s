// A function without a frame sends itself a signal: its caller is found from the handler, through the signal's frame.
	.include "start/start.aarch64.s"

	.type test, %function
test:
	.cfi_startproc
	str x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x30, -32
	bl leaf
	ldr x30, [sp], #32
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size test, .-test

	.type leaf, %function
leaf:
	.cfi_startproc
	mov x8, #172
	svc #0
	mov x1, #10
	mov x8, #129
	svc #0
	adrp x9, count
	ldr w10, [x9, :lo12:count]
	add w10, w10, #2
	str w10, [x9, :lo12:count]
	ret
	.cfi_endproc
	.size leaf, .-leaf

	handler_begins handler
	handler_ends handler, 3

	.data
	.balign 16
action:
	.quad handler, 0x4000004, restorer + 4, 0

	.section .note.GNU-stack,"",%progbits
