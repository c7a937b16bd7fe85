// A handler is not returned from: it jumps back to an earlier call's return, and the frames of the signal are dropped.
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
	.quad handler, 0x44000004, restorer + 4, 0
place:
	.quad 0, 0, 0
count:
	.long 0

	.section .note.GNU-stack,"",%progbits
