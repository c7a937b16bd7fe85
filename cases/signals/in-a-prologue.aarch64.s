// A signal comes between the lowering of SP and the first save, and between the last restore and the raising: there no slot of the
// frame holds anything.
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
	bl test
	adrp x1, count
	ldr w0, [x1, :lo12:count]
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

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

	.type handler, %function
handler:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov w29, w0
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

	.data
	.balign 16
action:
	.quad handler, 0x4000004, restorer + 4, 0
count:
	.long 0

	.section .note.GNU-stack,"",%progbits
