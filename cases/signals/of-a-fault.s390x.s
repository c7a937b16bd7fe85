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

	handler_begins handler
	lg %r1, 48(%r4)
	aghi %r1, 4
	stg %r1, 48(%r4)
	handler_ends handler, 3

	.data
	.balign 16
action:
	.quad handler, 0x4000004, restorer + 2, 0

	.section .note.GNU-stack,"",@progbits
