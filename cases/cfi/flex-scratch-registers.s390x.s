# The CFA counts from one scratch register after the other, each time with another offset.
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
	stmg %r11, %r15, 88(%r15)
	.cfi_offset %r11, -72
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lgr %r11, %r15
	.cfi_def_cfa_register %r11
	lgr %r12, %r2
	brasl %r14, rounds
	brasl %r14, after
	agr %r2, %r12
	lmg %r11, %r15, 248(%r11)
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa %r15, 160
	br %r14
	.cfi_endproc
	.size before, .-before

	.type rounds, @function
rounds:
	.cfi_startproc
	lgr %r0, %r15
	.cfi_def_cfa %r0, 160
	lgr %r1, %r15
	aghi %r1, 8
	.cfi_def_cfa %r1, 152
	lgr %r3, %r15
	aghi %r3, 16
	.cfi_def_cfa %r3, 144
	lgr %r4, %r15
	aghi %r4, 24
	.cfi_def_cfa %r4, 136
	lgr %r5, %r15
	aghi %r5, 32
	.cfi_def_cfa %r5, 128
	.cfi_def_cfa %r15, 160
	lghi %r0, 0
	lghi %r1, 0
	lghi %r3, 0
	lghi %r4, 0
	lghi %r5, 0
	aghi %r2, 4
	br %r14
	.cfi_endproc
	.size rounds, .-rounds

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
