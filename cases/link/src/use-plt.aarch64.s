// use_plt() calls one() and two() the way code of a shared object calls what another file may override.
	.text
	.globl use_plt
	.type use_plt, %function
use_plt:
	.cfi_startproc
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	bl one
	str w0, [sp, #16]
	bl two
	ldr w1, [sp, #16]
	add w0, w0, w1
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size use_plt, .-use_plt

	.section .note.GNU-stack,"",%progbits
