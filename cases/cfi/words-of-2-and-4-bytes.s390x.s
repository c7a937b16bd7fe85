# CFA offsets and slots on both sides of what fits a word of two bytes.
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
	agfi %r15, -262136
	.cfi_def_cfa_offset 262296 # 32,767 units: the last that fits two bytes
	aghi %r15, -8
	.cfi_def_cfa_offset 262304
	aghi %r2, 1
	agfi %r15, 262144
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size cfa_offsets, .-cfa_offsets

	.type slots, @function
slots:
	.cfi_startproc
	agfi %r15, -32768
	.cfi_def_cfa_offset 32928
	stg %r11, 160(%r15)
	.cfi_offset %r11, -32768 # the last that fits two bytes
	lgr %r11, %r2
	lgr %r2, %r11
	aghi %r2, 1
	lg %r11, 160(%r15)
	stg %r11, 152(%r15)
	.cfi_offset %r11, -32776
	lghi %r11, 0
	agr %r2, %r11
	lg %r11, 152(%r15)
	.cfi_restore %r11
	agfi %r15, 32768
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size slots, .-slots

	.section .note.GNU-stack,"",@progbits
