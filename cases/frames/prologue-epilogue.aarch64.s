// Two nested functions set up and tear down a frame pointer frame, one instruction at a time.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #10
	bl outer
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type outer, %function
outer:
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
	add w0, w0, #1
	bl inner
	add w0, w0, w19
	ldr x19, [sp, #16]
	.cfi_restore x19
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	ret
	.cfi_endproc
	.size outer, .-outer

	.type inner, %function
inner:
	.cfi_startproc
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	mov x29, sp
	.cfi_def_cfa_register x29
	str w0, [x29, #28]
	ldr w1, [x29, #28]
	add w0, w1, w1
	add w0, w0, #10
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	ret
	.cfi_endproc
	.size inner, .-inner

	.section .note.GNU-stack,"",%progbits
