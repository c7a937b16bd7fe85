// No function of the file has a form: a header alone remains, or nothing; not run, for nothing is left to judge.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	.cfi_val_offset x29, 0
	mov x0, #0
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type second, %function
second:
	.cfi_startproc
	.cfi_val_offset x29, 8
	ret
	.cfi_endproc
	.size second, .-second

	.section .note.GNU-stack,"",%progbits
