// The stack pointer is rounded down to 64 bytes; on AMD64 also with the argument pointer that GCC uses, whose
// CFA is in r10 and then in memory.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #6
	bl realigned
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type realigned, %function
realigned:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov x29, sp
	.cfi_def_cfa_register x29
	sub x9, sp, #128
	and sp, x9, #-64
	bl leaf
	str w0, [sp]
	mov x1, sp
	and x1, x1, #63 // 0
	ldr w0, [sp]
	add w0, w0, w1
	mov sp, x29
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	ret
	.cfi_endproc
	.size realigned, .-realigned

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, #17
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
