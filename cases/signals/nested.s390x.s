# A handler is itself interrupted by another signal: two signals' frames are in one chain.
	.include "start/start.s390x.s"

	.type test, @function
test:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -176
	.cfi_def_cfa_offset 336
	lghi %r2, 12
	larl %r3, second
	lghi %r4, 0
	lghi %r5, 8
	svc 174
	svc 20
	lghi %r3, 10
	svc 37
	aghi %r15, 176
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size test, .-test

	handler_begins handler
	svc 20
	lghi %r3, 12
	svc 37
	handler_ends handler, 3

	handler_begins inner
	brasl %r14, below
	handler_ends inner, 5

	.type below, @function
below:
	.cfi_startproc
	larl %r1, count
	l %r2, 0(%r1)
	ahi %r2, 2
	st %r2, 0(%r1)
	br %r14
	.cfi_endproc
	.size below, .-below

	.data
	.balign 16
action:
	.quad handler, 0x4000004, restorer + 2, 0
second:
	.quad inner, 0x4000004, restorer + 2, 0

	.section .note.GNU-stack,"",@progbits
