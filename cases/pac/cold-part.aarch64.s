// A cold part begins with the return address signed and saved, by directives before its first instruction, and
// authenticates it.
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
	hint #25 // paciasp
	.cfi_negate_ra_state
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	bl leaf
	b hot.cold
	.cfi_endproc
	.size hot, .-hot

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, #4
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .text.unlikely,"ax",%progbits
	.type hot.cold, %function
hot.cold:
	.cfi_startproc
	.cfi_negate_ra_state
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	add w0, w0, #1
	ldp x29, x30, [sp], #16
	.cfi_same_value x29
	.cfi_same_value x30
	.cfi_def_cfa_offset 0
	hint #29 // autiasp
	.cfi_negate_ra_state
	ret
	.cfi_endproc
	.size hot.cold, .-hot.cold

	.section .note.GNU-stack,"",%progbits
