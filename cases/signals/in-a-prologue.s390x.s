# A signal comes between the lowering of SP and the first save, and between the last restore and the raising: there no slot of the
# frame holds anything.
	.include "start/start.s390x.s"

	.type test, @function
test:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -176
	.cfi_def_cfa_offset 336
	brasl %r14, slow
	aghi %r15, 176
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size test, .-test

	.type slow, @function
slow:
	.cfi_startproc
	aghi %r15, -176
	.cfi_def_cfa_offset 336
	svc 20
	lghi %r3, 10
	svc 37
	stg %r11, 264(%r15)
	.cfi_offset %r11, -72
	lghi %r11, 4
	larl %r1, count
	l %r2, 0(%r1)
	ar %r2, %r11
	st %r2, 0(%r1)
	lg %r11, 264(%r15)
	.cfi_restore %r11
	svc 20
	lghi %r3, 10
	svc 37
	aghi %r15, 176
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size slow, .-slow

	handler_begins handler
	handler_ends handler, 3

	.data
	.balign 16
action:
	.quad handler, 0x4000004, restorer + 2, 0

	.section .note.GNU-stack,"",@progbits
