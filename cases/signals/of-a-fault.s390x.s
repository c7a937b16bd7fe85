# An instruction that reads address 0 causes SIGSEGV: the handler makes the saved program counter the next instruction's.
	.include "start/start.s390x.s"

	.type test, @function
test:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -176
	.cfi_def_cfa_offset 336
	brasl %r14, reads
	aghi %r15, 176
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size test, .-test

	.type reads, @function
reads:
	.cfi_startproc
	lghi %r1, 0
	l %r2, 0(%r1)
	larl %r1, count
	l %r2, 0(%r1)
	ahi %r2, 2
	st %r2, 0(%r1)
	br %r14
	.cfi_endproc
	.size reads, .-reads

	.type handler, @function
handler:
	.cfi_startproc
	stmg %r11, %r15, 88(%r15)
	.cfi_offset %r11, -72
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lgr %r11, %r2
	lg %r1, 48(%r4)
	aghi %r1, 4
	stg %r1, 48(%r4)
	larl %r1, count
	l %r2, 0(%r1)
	ahi %r2, 3
	st %r2, 0(%r1)
	lmg %r11, %r15, 248(%r15)
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size handler, .-handler

	.data
	.balign 16
action:
	.quad handler, 0x4000004, restorer + 2, 0

	.section .note.GNU-stack,"",@progbits
