# An escape says by DW_CFA_val_expression what the value of a register is that SFrame does not track.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lgr %r10, %r15
	aghi %r10, -16 # what value's CFI says of it: CFA-176
	lghi %r2, 6
	brasl %r14, value
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type value, @function
value:
	.cfi_startproc
	.cfi_escape 0x16, 0x0a, 0x03, 0x08, 0xb0, 0x1c # r10 = CFA-176
	lgr %r10, %r2
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	brasl %r14, leaf
	agr %r2, %r10
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	lgr %r10, %r15
	aghi %r10, -16
	.cfi_restore %r10
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
