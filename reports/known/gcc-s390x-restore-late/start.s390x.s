	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	stg %r11, 0(%r15)
	stg %r11, 152(%r15)
	brasl %r14, test
	nilf %r2, 127
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.section .note.GNU-stack,"",@progbits
