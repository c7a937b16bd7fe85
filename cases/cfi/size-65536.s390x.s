# Functions around 65,536 bytes, each with a row that starts at its last instruction: row starts of two bytes and of
# four.
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
	brasl %r14, size_65534
	brasl %r14, size_65536
	brasl %r14, size_65538
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type size_65534, @function
size_65534:
	.cfi_startproc
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	aghi %r2, 1
	jg 1f
	.skip 65534 - 20
1:	aghi %r15, 160
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size size_65534, .-size_65534

	.type size_65536, @function
size_65536:
	.cfi_startproc
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	aghi %r2, 1
	jg 1f
	.skip 65536 - 20
1:	aghi %r15, 160
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size size_65536, .-size_65536

	.type size_65538, @function
size_65538:
	.cfi_startproc
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	aghi %r2, 1
	jg 1f
	.skip 65538 - 20
1:	aghi %r15, 160
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size size_65538, .-size_65538

	.section .note.GNU-stack,"",@progbits
