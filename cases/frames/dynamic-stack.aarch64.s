// The stack grows by an amount known only at run time, so the CFA must be found through FP.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov x0, #100
	bl grow
	mov w19, w0
	mov x0, #5000
	bl grow
	add w0, w0, w19
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type grow, %function
grow:
	.cfi_startproc
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	mov x29, sp
	.cfi_def_cfa_register x29
	mov x1, x0
	add x0, x0, #15
	and x0, x0, #-16
	sub sp, sp, x0
	mov x0, sp
	bl touch
	sub sp, sp, #32 // once more, after a call
	str x0, [sp]
	ldr x0, [sp]
	mov sp, x29
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	ret
	.cfi_endproc
	.size grow, .-grow

	.type touch, %function
touch:
	.cfi_startproc
	mov w2, #1
	strb w2, [x0]
	add x1, x0, x1
	strb w2, [x1, #-1]
	mov w0, #20
	ret
	.cfi_endproc
	.size touch, .-touch

	.section .note.GNU-stack,"",%progbits
