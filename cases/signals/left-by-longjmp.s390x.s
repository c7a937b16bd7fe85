# A handler is not returned from: it jumps back to an earlier call's return, and the frames of the signal are dropped.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 10
	larl %r3, action
	lghi %r4, 0
	lghi %r5, 8
	svc 174
	brasl %r14, test
	larl %r1, count
	l %r2, 0(%r1)
	svc 1
	.cfi_endproc
	.size _start, .-_start

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

	.type restorer, @function
restorer:
	.cfi_startproc
	.cfi_signal_frame
	# The kernel's frame with siginfo_t is at SP: in it the PSW's address at 344, r11 at 440, r12 at 448, r14 at 464, r15 at 472.
	.cfi_return_column 65
	.cfi_escape 0x0f, 7, 0x7f, 0xd8, 0x03, 0x06, 0x23, 0xa0, 0x01 # CFA: [r15+472] + 160
	.cfi_escape 0x10, 65, 3, 0x7f, 0xd8, 0x02 # RA: at r15+344
	.cfi_escape 0x10, 14, 3, 0x7f, 0xd0, 0x03 # r14: at r15+464
	.cfi_escape 0x10, 11, 3, 0x7f, 0xb8, 0x03 # r11: at r15+440
	.cfi_escape 0x10, 12, 3, 0x7f, 0xc0, 0x03 # r12: at r15+448
	.cfi_escape 0x10, 15, 3, 0x7f, 0xd8, 0x03 # r15: at r15+472
	nopr # unwinders look one byte before where the handler returns to
	svc 173
	.cfi_endproc
	.size restorer, .-restorer

	.data
	.balign 16
action:
	.quad handler, 0x44000004, restorer + 2, 0
place:
	.quad 0, 0, 0
count:
	.long 0

	.section .note.GNU-stack,"",@progbits
