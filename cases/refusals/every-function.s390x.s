# No function of the file has a form: a header alone remains, or nothing; not run, for nothing is left to judge.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	.cfi_val_offset %r11, 0
	lghi %r2, 0
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type second, @function
second:
	.cfi_startproc
	.cfi_val_offset %r11, 8
	br %r14
	.cfi_endproc
	.size second, .-second

	.section .note.GNU-stack,"",@progbits
