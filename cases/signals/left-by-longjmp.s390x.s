# A handler is not returned from: it jumps back to an earlier call's return, and the frames of the signal are dropped.
	.include "start/start.s390x.s"

	.type test, @function
test:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -176
	.cfi_def_cfa_offset 336
	brasl %r14, keep
	ltgr %r2, %r2
	jne 1f
	brasl %r14, deeper
	larl %r1, count
	l %r2, 0(%r1)
	ahi %r2, 64
	st %r2, 0(%r1)
1:
	aghi %r15, 176
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size test, .-test

	.type deeper, @function
deeper:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -176
	.cfi_def_cfa_offset 336
	svc 20
	lghi %r3, 10
	svc 37
	larl %r1, count
	l %r2, 0(%r1)
	ahi %r2, 32
	st %r2, 0(%r1)
	aghi %r15, 176
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size deeper, .-deeper

	.type keep, @function
keep:
	.cfi_startproc
	larl %r1, place
	stg %r14, 0(%r1)
	stg %r15, 8(%r1)
	lghi %r2, 0
	br %r14
	.cfi_endproc
	.size keep, .-keep

	.type handler, @function
handler:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -176
	.cfi_def_cfa_offset 336
	brasl %r14, leave
	aghi %r15, 176
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size handler, .-handler

	.type leave, @function
leave:
	.cfi_startproc
	larl %r1, count
	l %r2, 0(%r1)
	ahi %r2, 5
	st %r2, 0(%r1)
	larl %r1, place
	lghi %r2, 1
	lmg %r14, %r15, 0(%r1)
	br %r14
	.cfi_endproc
	.size leave, .-leave

	.data
	.balign 16
action:
	.quad handler, 0x44000004, restorer + 2, 0
place:
	.quad 0, 0, 0

	.section .note.GNU-stack,"",@progbits
