// The offset of the CFA is the lowest that 32 bits hold; not true of the code, which is never reached.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #6
	bl before
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type before, %function
before:
	.cfi_startproc
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	mov x29, sp
	.cfi_def_cfa_register x29
	str x19, [sp, #16]
	.cfi_offset x19, -16
	mov w19, w0
	bl after
	add w0, w0, w19
	ldr x19, [sp, #16]
	.cfi_restore x19
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	ret
	.cfi_endproc
	.size before, .-before

	.type far, %function
far:
	.cfi_startproc
	nop
	.cfi_def_cfa x29, -0x80000000
	nop
	ret
	.cfi_endproc
	.size far, .-far

	.type after, %function
after:
	.cfi_startproc
	sub sp, sp, #32
	.cfi_def_cfa_offset 32
	add w0, w0, #3
	add sp, sp, #32
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size after, .-after

	.section .note.GNU-stack,"",%progbits
