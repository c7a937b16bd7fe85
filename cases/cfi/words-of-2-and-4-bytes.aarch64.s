// CFA offsets and slots on both sides of what fits a word of two bytes.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #6
	bl outer
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type outer, %function
outer:
	.cfi_startproc
	str x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x30, -16
	bl cfa_offsets
	bl slots
	ldr x30, [sp], #16
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size outer, .-outer

	.type cfa_offsets, %function
cfa_offsets:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	sub sp, sp, #8, lsl #12
	.cfi_def_cfa_offset 32784
	add x29, sp, #17
	.cfi_def_cfa x29, 32767 // the last that fits two bytes
	add w0, w0, #1
	sub x29, x29, #1
	.cfi_def_cfa_offset 32768
	add sp, sp, #8, lsl #12
	.cfi_def_cfa sp, 16
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size cfa_offsets, .-cfa_offsets

	.type slots, %function
slots:
	.cfi_startproc
	sub sp, sp, #16
	.cfi_def_cfa_offset 16
	sub sp, sp, #8, lsl #12
	.cfi_def_cfa_offset 32784
	stp x30, x29, [sp, #8]
	.cfi_offset x30, -32776
	.cfi_offset x29, -32768 // the last that fits two bytes
	mov w29, w0
	add w0, w29, #1
	mov x30, #0
	ldp x30, x29, [sp, #8]
	stp x29, x30, [sp, #8]
	.cfi_offset x29, -32776
	.cfi_offset x30, -32768
	mov x29, #0
	mov x30, #0
	ldp x29, x30, [sp, #8]
	.cfi_restore x29
	.cfi_restore x30
	add sp, sp, #8, lsl #12
	.cfi_def_cfa_offset 16
	add sp, sp, #16
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size slots, .-slots

	.section .note.GNU-stack,"",%progbits
