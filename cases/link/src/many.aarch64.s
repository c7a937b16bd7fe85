// one() is 3, and a hundred functions like those that compilers make of getters and small wrappers; the first is called; LARGE adds
// that many more and one of 301 rows.
	.section .text.one,"ax",%progbits
	.globl one
	.type one, %function
one:
	.cfi_startproc
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	bl many0
	add w0, w0, #1
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size one, .-one

	.macro small
	.type many\@, %function
many\@:
	.cfi_startproc
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	mov w0, #2
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size many\@, .-many\@
	.endm

	.rept 100
	small
	.endr

	.ifdef LARGE
	.rept LARGE
	small
	.endr
	.type rows, %function
rows:
	.cfi_startproc
	.rept 150
	sub sp, sp, #16
	.cfi_adjust_cfa_offset 16
	add sp, sp, #16
	.cfi_adjust_cfa_offset -16
	.endr
	ret
	.cfi_endproc
	.size rows, .-rows
	.endif

	.section .note.GNU-stack,"",%progbits
