// Functions around 256 bytes, each with a row that starts at its last instruction: row starts of one byte and of
// two.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #1
	bl size_252
	bl size_256
	bl size_260
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type size_252, %function
size_252:
	.cfi_startproc
	sub sp, sp, #16
	.cfi_def_cfa_offset 16
	add w0, w0, #1
	b 1f
	.skip 252 - 20
1:	add sp, sp, #16
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size size_252, .-size_252

	.type size_256, %function
size_256:
	.cfi_startproc
	sub sp, sp, #16
	.cfi_def_cfa_offset 16
	add w0, w0, #1
	b 1f
	.skip 256 - 20
1:	add sp, sp, #16
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size size_256, .-size_256

	.type size_260, %function
size_260:
	.cfi_startproc
	sub sp, sp, #16
	.cfi_def_cfa_offset 16
	add w0, w0, #1
	b 1f
	.skip 260 - 20
1:	add sp, sp, #16
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size size_260, .-size_260

	.section .note.GNU-stack,"",%progbits
