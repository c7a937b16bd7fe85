// Where every program of this folder begins, and where its handlers return to. The action is for SIGUSR1 and SIGSEGV; the count is the
// exit status.

// The frame of a handler: its number is kept in a register that the convention makes it save.
	.macro handler_begins name
	.type \name, %function
\name:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov w29, w0
	.endm

// What it adds to the count, and its way back.
	.macro handler_ends name, by
	adrp x9, count
	ldr w10, [x9, :lo12:count]
	add w10, w10, #\by
	str w10, [x9, :lo12:count]
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size \name, .-\name
	.endm

	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov x0, #10
	adrp x1, action
	add x1, x1, :lo12:action
	mov x2, #0
	mov x3, #8
	mov x8, #134
	svc #0
	mov x0, #11
	svc #0
	bl test
	adrp x1, count
	ldr w0, [x1, :lo12:count]
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type restorer, %function
restorer:
	.cfi_startproc
	.cfi_signal_frame
	// The kernel's frame is at SP: in it x29 at 544, x30 at 552, sp at 560, pc at 568, x19 at 464.
	.cfi_return_column 32
	.cfi_escape 0x0f, 4, 0x8f, 0xb0, 0x04, 0x06 // CFA: [sp+560]
	.cfi_escape 0x10, 32, 3, 0x8f, 0xb8, 0x04 // RA: at sp+568
	.cfi_escape 0x10, 30, 3, 0x8f, 0xa8, 0x04 // x30: at sp+552
	.cfi_escape 0x10, 29, 3, 0x8f, 0xa0, 0x04 // x29: at sp+544
	.cfi_escape 0x10, 19, 3, 0x8f, 0xd0, 0x03 // x19: at sp+464
	nop // unwinders look one byte before where the handler returns to
	mov x8, #139
	svc #0
	.cfi_endproc
	.size restorer, .-restorer

	.bss
	.balign 8
count:
	.skip 8

	.text
