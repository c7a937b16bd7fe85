# A function without a frame sends itself a signal: its caller is found from the handler, through the signal's frame.
	.include "start/start.s390x.s"

	.type test, @function
test:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -176
	.cfi_def_cfa_offset 336
	brasl %r14, leaf
	aghi %r15, 176
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size test, .-test

	.type leaf, @function
leaf:
	.cfi_startproc
	svc 20
	lghi %r3, 10
	svc 37
	larl %r1, count
	l %r2, 0(%r1)
	ahi %r2, 2
	st %r2, 0(%r1)
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	handler_begins handler
	handler_ends handler, 3

	.data
	.balign 16
action:
	.quad handler, 0x4000004, restorer + 2, 0

	.section .note.GNU-stack,"",@progbits
