# The handler has a stack of its own: the chain goes from one stack to the other at the signal's frame.
	.include "start/start.s390x.s"

	.type test, @function
test:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -176
	.cfi_def_cfa_offset 336
	larl %r2, stack
	lghi %r3, 0
	svc 186
	svc 20
	lghi %r3, 10
	svc 37
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
	ahi %r2, 1
	st %r2, 0(%r1)
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	handler_begins handler
	brasl %r14, below
	handler_ends handler, 3

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
	.quad handler, 0xc000004, restorer + 2, 0
stack:
	.quad memory
	.long 0, 0
	.quad 16384

	.bss
	.balign 16
memory:
	.skip 16384

	.section .note.GNU-stack,"",@progbits
