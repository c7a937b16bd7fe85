// An escape gives the size of pushed arguments by DW_CFA_GNU_args_size while the CFA is in SP: the CFA is what
// .cfi_adjust_cfa_offset says.
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
	stp x30, x0, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	.cfi_offset x30, -16
	.cfi_escape 0x2e, 0x08
	bl leaf
	.cfi_escape 0x2e, 0x00
	ldr x30, [sp], #16
	.cfi_restore x30
	.cfi_adjust_cfa_offset -16
	ret
	.cfi_endproc
	.size outer, .-outer

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, #4
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
