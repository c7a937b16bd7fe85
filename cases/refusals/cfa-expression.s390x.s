# The CFA is the sum of two registers, which only an expression can say.
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
	brasl %r14, sum_of_two
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

	.type sum_of_two, @function
sum_of_two:
	.cfi_startproc
	lghi %r1, 32
	.cfi_remember_state
	sgr %r15, %r1
	.cfi_escape 0x0f, 0x06, 0x7f, 0xa0, 0x01, 0x71, 0x00, 0x22 # CFA = r15+160 + r1
	aghi %r2, 4
	agr %r15, %r1
	.cfi_restore_state
	lghi %r1, 0
	br %r14
	.cfi_endproc
	.size sum_of_two, .-sum_of_two

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
