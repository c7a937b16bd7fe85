# The caller's FP is not saved anywhere: an escape of DW_CFA_val_offset gives its value, the CFA plus a constant,
# which no row can encode.
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
	brasl %r14, before
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type before, @function
before:
	.cfi_startproc
	stg %r11, 88(%r15)
	.cfi_offset %r11, -72
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lgr %r11, %r15
	aghi %r11, -16 # what lends_fp gives: CFA-176
	brasl %r14, lends_fp
	brasl %r14, after
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	lg %r11, 88(%r15)
	.cfi_restore %r11
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size before, .-before

	.type lends_fp, @function
lends_fp:
	.cfi_startproc
	.cfi_escape 0x14, 0x0b, 0x16 # FP = CFA-176
	lghi %r11, 4
	agr %r2, %r11
	lgr %r11, %r15
	aghi %r11, -16
	.cfi_restore %r11
	br %r14
	.cfi_endproc
	.size lends_fp, .-lends_fp

	.type after, @function
after:
	.cfi_startproc
	aghi %r15, -200
	.cfi_def_cfa_offset 360
	aghi %r2, 3
	aghi %r15, 200
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size after, .-after

	.section .note.GNU-stack,"",@progbits
