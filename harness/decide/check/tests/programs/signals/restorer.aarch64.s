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
# expect: error eh-frame/signal-matches-truth at 0x4000b4..0x4000c0
#
# case: explored, marked
# check: explore
# with mark: .cfi_signal_frame
# expect: clean, 1 of 17 reached
#
# case: explored, not marked
# check: explore
# with mark:
# expect: error, 1 of 17 reached
# expect: error eh-frame/signal-matches-truth at .text+0x3c..0x48
# expect: undecided unconfirmed-state at .text+0x3c..0x48: 3 answers
	.globl _start
	.type _start, %function
_start:	.cfi_startproc
	.cfi_undefined x30
	mov x0, 10
	adr x1, action
	mov x2, 0
	mov x3, 8
	mov x8, 134
	svc 0
	mov x8, 172
	svc 0
	mov x1, 10
	mov x8, 129
	svc 0
	mov x0, 0
	mov x8, 93
	svc 0
	.cfi_endproc
	.size _start, .-_start
	.type handler, %function
handler:	.cfi_startproc
	ret
	.cfi_endproc
	.size handler, .-handler
	.type restorer, %function
restorer:	.cfi_startproc
	{mark}
	// CFA: [sp+560]; RA: at sp+568; x30: at sp+552; x29: at sp+544.
	.cfi_return_column 32
	.cfi_escape 0x0f, 4, 0x8f, 0xb0, 0x04, 0x06
	.cfi_escape 0x10, 32, 3, 0x8f, 0xb8, 0x04
	.cfi_escape 0x10, 30, 3, 0x8f, 0xa8, 0x04
	.cfi_escape 0x10, 29, 3, 0x8f, 0xa0, 0x04
	nop
	mov x8, 139
	svc 0
	.cfi_endproc
	.size restorer, .-restorer
	.balign 8
action:	.quad handler, 0x4000004, restorer + 4, 0
