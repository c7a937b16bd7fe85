# CFA offsets and slots on both sides of what fits a word of one byte.
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
	brasl %r14, outer
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type outer, @function
outer:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	brasl %r14, cfa_offsets
	brasl %r14, slots
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size outer, .-outer

	.type cfa_offsets, @function
cfa_offsets:
	.cfi_startproc
	aghi %r15, -1016
	.cfi_def_cfa_offset 1176 # 127 units: the last that fits one byte
	aghi %r15, -8
	.cfi_def_cfa_offset 1184
	aghi %r2, 1
	aghi %r15, 1024
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size cfa_offsets, .-cfa_offsets

	.type slots, @function
slots:
	.cfi_startproc
	stg %r11, 32(%r15)
	.cfi_offset %r11, -128 # the last that fits one byte
	lgr %r11, %r2
	lgr %r2, %r11
	aghi %r2, 1
	lg %r11, 32(%r15)
	stg %r11, 24(%r15)
	.cfi_offset %r11, -136
	lghi %r11, 0
	agr %r2, %r11
	lg %r11, 24(%r15)
	.cfi_restore %r11
	br %r14
	.cfi_endproc
	.size slots, .-slots

	.section .note.GNU-stack,"",@progbits
