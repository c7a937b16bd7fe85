// A hand-written setjmp and longjmp: out of six frames at once, then out of one, where SP equals the CFA of the
// frame that is left.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	bl catch_deep
	mov w19, w0
	bl catch_near
	add w0, w0, w19
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type catch_deep, %function
catch_deep:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov x29, sp
	.cfi_def_cfa_register x29
	adrp x0, context
	add x0, x0, :lo12:context
	bl save_context
	cbnz w0, 1f
	mov w0, #5
	bl dive
1:	add w0, w0, #1
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	ret
	.cfi_endproc
	.size catch_deep, .-catch_deep

	.type dive, %function
dive:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov w29, w0
	subs w0, w0, #1
	b.ne 1f
	adrp x0, context
	add x0, x0, :lo12:context
	mov w1, #7
	bl resume_context
1:	bl dive
	add w0, w0, w29
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size dive, .-dive

	.type catch_near, %function
catch_near:
	.cfi_startproc
	str x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x30, -32
	adrp x0, context
	add x0, x0, :lo12:context
	bl save_context
	cbnz w0, 1f
	adrp x0, context
	add x0, x0, :lo12:context
	mov w1, #3
	bl resume_context
1:	add w0, w0, #1
	ldr x30, [sp], #32
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size catch_near, .-catch_near

	.type save_context, %function
save_context:
	.cfi_startproc
	stp x19, x29, [x0]
	mov x2, sp
	stp x2, x30, [x0, #16]
	mov w0, #0
	ret
	.cfi_endproc
	.size save_context, .-save_context

	.type resume_context, %function
resume_context:
	.cfi_startproc
	ldp x2, x16, [x0, #16]
	mov sp, x2 // with one frame to leave this changes nothing; with more SP is now above the CFA
	ldp x19, x29, [x0]
	mov w0, w1
	br x16
	.cfi_endproc
	.size resume_context, .-resume_context

	.data
	.align 3
context:	.skip 32

	.section .note.GNU-stack,"",%progbits
