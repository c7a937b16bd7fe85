// A loop calls two leaf functions 200 times, each at one place with one return address.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	bl spin
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type spin, %function
spin:
	.cfi_startproc
	stp x30, x19, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x30, -16
	.cfi_offset x19, -8
	mov w19, #200
	mov w0, #0
1:	bl up
	bl down
	subs w19, w19, #1
	b.ne 1b
	ldp x30, x19, [sp], #16
	.cfi_restore x30
	.cfi_restore x19
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size spin, .-spin

	.type up, %function
up:
	.cfi_startproc
	add w0, w0, #2
	ret
	.cfi_endproc
	.size up, .-up

	.type down, %function
down:
	.cfi_startproc
	sub w0, w0, #1
	ret
	.cfi_endproc
	.size down, .-down

	.section .note.GNU-stack,"",%progbits
