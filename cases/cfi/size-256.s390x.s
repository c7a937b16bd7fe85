# Functions around 256 bytes, each with a row that starts at its last instruction: row starts of one byte and of two.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 1
	brasl %r14, size_254
	brasl %r14, size_256
	brasl %r14, size_258
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type size_254, @function
size_254:
	.cfi_startproc
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	aghi %r2, 1
	jg 1f
	.skip 254 - 20
1:	aghi %r15, 160
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size size_254, .-size_254

	.type size_256, @function
size_256:
	.cfi_startproc
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	aghi %r2, 1
	jg 1f
	.skip 256 - 20
1:	aghi %r15, 160
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size size_256, .-size_256

	.type size_258, @function
size_258:
	.cfi_startproc
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	aghi %r2, 1
	jg 1f
	.skip 258 - 20
1:	aghi %r15, 160
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size size_258, .-size_258

	.section .note.GNU-stack,"",@progbits
