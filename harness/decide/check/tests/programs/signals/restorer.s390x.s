# The code that a signal handler returns to is marked as a signal frame: without the mark, unwinders
# look up the interrupted function one byte too early.
# Code that returns from a signal handler is known by its system call, executed or not: it has the
# mark of a signal frame, unless its rows are those of a call.
#
# case: executed, marked
# check: execute
# link:
# with mark: .cfi_signal_frame
# expect: clean, exited 0
#
# case: executed, not marked
# check: execute
# link:
# with mark:
# expect: error, exited 0
# expect: error eh-frame/signal-matches-truth at 0x10000d8..0x10000dc
#
# case: explored, marked
# check: explore
# with mark: .cfi_signal_frame
# expect: clean, 1 of 13 reached
#
# case: explored, not marked
# check: explore
# with mark:
# expect: error, 1 of 13 reached
# expect: error eh-frame/signal-matches-truth at .text+0x28..0x2c
# expect: undecided unconfirmed-state at .text+0x28..0x2c: 2 answers
	.globl _start
	.type _start, @function
_start:	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r2, 10
	larl %r3, action
	lghi %r4, 0
	lghi %r5, 8
	svc 174
	svc 20
	lghi %r3, 10
	svc 37
	lghi %r2, 0
	svc 1
	.cfi_endproc
	.size _start, .-_start
	.type handler, @function
handler:	.cfi_startproc
	br %r14
	.cfi_endproc
	.size handler, .-handler
	.type restorer, @function
restorer:	.cfi_startproc
	{mark}
	# CFA: [r15+472] + 160; RA: at r15+344; r14: at r15+464; r11: at r15+440; r15: at r15+472.
	.cfi_return_column 65
	.cfi_escape 0x0f, 7, 0x7f, 0xd8, 0x03, 0x06, 0x23, 0xa0, 0x01
	.cfi_escape 0x10, 65, 3, 0x7f, 0xd8, 0x02
	.cfi_escape 0x10, 14, 3, 0x7f, 0xd0, 0x03
	.cfi_escape 0x10, 11, 3, 0x7f, 0xb8, 0x03
	.cfi_escape 0x10, 15, 3, 0x7f, 0xd8, 0x03
	nopr
	svc 173
	.cfi_endproc
	.size restorer, .-restorer
	.data
	.balign 8
action:	.quad handler, 0x4000004, restorer + 2, 0
