// Calls through a register and through a table of addresses in memory.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #6
	bl call_all
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type call_all, %function
call_all:
	.cfi_startproc
	stp x30, x19, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x30, -16
	.cfi_offset x19, -8
	adrp x19, table
	add x19, x19, :lo12:table
1:	ldr x1, [x19]
	cbz x1, 2f
	blr x1
	ldr x30, [x19] // the link register itself may hold the target
	blr x30
	add x19, x19, #8
	b 1b
2:	add w0, w0, #21
	ldp x30, x19, [sp], #16
	.cfi_restore x30
	.cfi_restore x19
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size call_all, .-call_all

	.type add_one, %function
add_one:
	.cfi_startproc
	add w0, w0, #1
	ret
	.cfi_endproc
	.size add_one, .-add_one

	.type double, %function
double:
	.cfi_startproc
	add w0, w0, w0
	ret
	.cfi_endproc
	.size double, .-double

	.data
	.align 3
table:
	.xword add_one
	.xword double
	.xword 0

	.section .note.GNU-stack,"",%progbits
