// An instruction that reads address 0 causes SIGSEGV: the handler makes the saved program counter the next instruction's.
	.include "start/start.aarch64.s"

	.type test, %function
test:
	.cfi_startproc
	str x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x30, -32
	bl reads
	ldr x30, [sp], #32
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size test, .-test

	.type reads, %function
reads:
	.cfi_startproc
	mov x0, #0
	ldr w0, [x0]
	adrp x9, count
	ldr w10, [x9, :lo12:count]
	add w10, w10, #2
	str w10, [x9, :lo12:count]
	ret
	.cfi_endproc
	.size reads, .-reads

	handler_begins handler
	ldr x9, [x2, #440]
	add x9, x9, #4
	str x9, [x2, #440]
	handler_ends handler, 3

	.data
	.balign 16
action:
	.quad handler, 0x4000004, restorer + 4, 0

	.section .note.GNU-stack,"",%progbits
