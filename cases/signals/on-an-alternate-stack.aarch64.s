// The handler has a stack of its own: the chain goes from one stack to the other at the signal's frame.
	.include "start/start.aarch64.s"

	.type test, %function
test:
	.cfi_startproc
	str x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x30, -32
	adrp x0, stack
	add x0, x0, :lo12:stack
	mov x1, #0
	mov x8, #132
	svc #0
	mov x8, #172
	svc #0
	mov x1, #10
	mov x8, #129
	svc #0
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
	add w10, w10, #1
	str w10, [x9, :lo12:count]
	ret
	.cfi_endproc
	.size leaf, .-leaf

	handler_begins handler
	bl below
	handler_ends handler, 3

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
	.quad handler, 0xc000004, restorer + 4, 0
stack:
	.quad memory
	.long 0, 0
	.quad 16384

	.bss
	.balign 16
memory:
	.skip 16384

	.section .note.GNU-stack,"",%progbits
