// The cold part of a function comes first of all in the file and takes the frame down: .cfi_restore means the rule
// of a fresh call, not the one the cold part began with.
	.section .text.unlikely,"ax",%progbits
	.type hot.cold, %function
hot.cold:
	.cfi_startproc
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	add w0, w0, #10
	ldp x29, x30, [sp], #16
	.cfi_def_cfa_offset 0
	.cfi_restore x29
	.cfi_restore x30
	ret
	.cfi_endproc
	.size hot.cold, .-hot.cold

	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #6
	bl hot
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type hot, %function
hot:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov w29, w0
	b hot.cold
	.cfi_endproc
	.size hot, .-hot

	.section .note.GNU-stack,"",%progbits
