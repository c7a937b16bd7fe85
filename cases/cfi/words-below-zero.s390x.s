# FP points so far above the CFA that the negative CFA offset needs a word of one byte, of two and of four.
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
	brasl %r14, below_1
	brasl %r14, below_2
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size outer, .-outer

	.type below_1, @function
below_1:
	.cfi_startproc
	stg %r11, 88(%r15)
	.cfi_offset %r11, -72
	la %r11, 1024(%r15)
	.cfi_def_cfa %r11, -864 # -128 units: the last that fits one byte
	aghi %r11, 8
	.cfi_def_cfa_offset -872
	aghi %r2, 1
	lg %r11, 88(%r15)
	.cfi_restore %r11
	.cfi_def_cfa %r15, 160
	br %r14
	.cfi_endproc
	.size below_1, .-below_1

	.type below_2, @function
below_2:
	.cfi_startproc
	stg %r11, 88(%r15)
	.cfi_offset %r11, -72
	lgr %r11, %r15
	agfi %r11, 262144
	.cfi_def_cfa %r11, -261984 # -32,768 units: the last that fits two bytes
	aghi %r11, 8
	.cfi_def_cfa_offset -261992
	aghi %r2, 1
	lg %r11, 88(%r15)
	.cfi_restore %r11
	.cfi_def_cfa %r15, 160
	br %r14
	.cfi_endproc
	.size below_2, .-below_2

	.section .note.GNU-stack,"",@progbits
