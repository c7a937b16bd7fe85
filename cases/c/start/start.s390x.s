# Where every program of this folder begins: no caller, no frame pointer, an empty back chain in both places that a compiler may read
# (0(%r15), and 152(%r15) with the packed stack). The low 7 bits of what test() returns are the exit status.
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
