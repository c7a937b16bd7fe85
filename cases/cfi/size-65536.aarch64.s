// Functions around 65,536 bytes, each with a row that starts at its last instruction: row starts of two bytes and of
// four.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #1
	bl size_65532
	bl size_65536
	bl size_65540
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type size_65532, %function
size_65532:
	.cfi_startproc
	sub sp, sp, #16
	.cfi_def_cfa_offset 16
	add w0, w0, #1
	b 1f
	.skip 65532 - 20
1:	add sp, sp, #16
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size size_65532, .-size_65532

	.type size_65536, %function
size_65536:
	.cfi_startproc
	sub sp, sp, #16
	.cfi_def_cfa_offset 16
	add w0, w0, #1
	b 1f
	.skip 65536 - 20
1:	add sp, sp, #16
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size size_65536, .-size_65536

	.type size_65540, %function
size_65540:
	.cfi_startproc
	sub sp, sp, #16
	.cfi_def_cfa_offset 16
	add w0, w0, #1
	b 1f
	.skip 65540 - 20
1:	add sp, sp, #16
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size size_65540, .-size_65540

	.section .note.GNU-stack,"",%progbits
