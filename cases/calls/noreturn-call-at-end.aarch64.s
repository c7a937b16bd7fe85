// A function ends in a call that never returns, so its return address is the first byte of the next function,
// whose frame is different.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #70
	bl give_up
	mov w0, #1 // not reached
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type give_up, %function
give_up:
	.cfi_startproc
	str x30, [sp, #-112]!
	.cfi_def_cfa_offset 112
	.cfi_offset x30, -112
	add w0, w0, #3
	bl finish
	.cfi_endproc
	.size give_up, .-give_up

	.type next, %function
next:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov x29, sp
	.cfi_def_cfa_register x29
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	ret
	.cfi_endproc
	.size next, .-next

	.type finish, %function
finish:
	.cfi_startproc
	stp x30, x19, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x30, -16
	.cfi_offset x19, -8
	mov w19, w0
	bl leaf
	add w0, w0, w19
	mov x8, #93
	svc #0
	.cfi_endproc
	.size finish, .-finish

	.type leaf, %function
leaf:
	.cfi_startproc
	mov w0, #4
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
