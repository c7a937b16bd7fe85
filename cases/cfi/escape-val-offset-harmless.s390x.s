# An escape of DW_CFA_val_offset gives SP the value that the ABI has, 160 below the CFA: 20 times the alignment of -8.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 6
	brasl %r14, value
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type value, @function
value:
	.cfi_startproc
	.cfi_escape 0x14, 0x0f, 0x14 # r15 = CFA-160
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	brasl %r14, leaf
	aghi %r2, 6
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size value, .-value

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, 4
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
