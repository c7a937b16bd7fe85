// A frame without a frame pointer, whose size changes twice, and a loop.
	.text
	.globl sums
	.type sums, %function
sums:
	str x30, [sp, #-16]!
	sub sp, sp, #48
	str x19, [sp, #24]
	mov w19, w0
	str xzr, [sp, #8]
1:	mov w0, w19
	bl step
	ldr x1, [sp, #8]
	add x1, x1, x0
	str x1, [sp, #8]
	subs w19, w19, #1
	bne 1b
	ldr x0, [sp, #8]
	ldr x19, [sp, #24]
	add sp, sp, #48
	ldr x30, [sp], #16
	ret
	.size sums, .-sums

	.type step, %function
step:
	add w0, w0, w0
	add w0, w0, #1
	ret
	.size step, .-step

	.section .note.GNU-stack,"",%progbits
