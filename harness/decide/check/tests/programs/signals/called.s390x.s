# A function that is called must not be marked as a signal frame: unwinders look up the row at the
# return address, not of the call. Where both rows are equal that is harmless.
#
# case: executed, not marked
# check: execute
# link:
# with call: basr %r14, %r1
# with mark:
# with after:
# expect: clean, exited 0
#
# case: executed, rows are equal
# check: execute
# link:
# with call: basr %r14, %r1
# with mark: .cfi_signal_frame
# with after: nopr
# expect: clean, exited 0
# expect: info eh-frame/signal-matches-truth at 0x1000096..0x100009c
#
# case: executed, rows differ
# check: execute
# link:
# with call: basr %r14, %r1
# with mark: .cfi_signal_frame
# with after:
# expect: error, exited 0
# expect: error eh-frame/signal-matches-truth at 0x1000094..0x100009a
#
# case: explored, not marked
# check: explore
# with call: brasl %r14, f
# with mark:
# with after:
# expect: clean, 6 of 8 reached
#
# case: explored, rows are equal
# check: explore
# with call: brasl %r14, f
# with mark: .cfi_signal_frame
# with after: nopr
# expect: clean, 6 of 8 reached
# expect: info eh-frame/signal-matches-truth at .text+0x22..0x28
#
# case: explored, rows differ
# check: explore
# with call: brasl %r14, f
# with mark: .cfi_signal_frame
# with after:
# expect: error, 4 of 8 reached
# expect: error eh-frame/signal-matches-truth at .text+0x20..0x26
	.globl _start
	.type _start, @function
_start:	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	brasl %r14, g
	.cfi_endproc
	.size _start, .-_start
	.globl g
	.type g, @function
g:	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	larl %r1, f
	{call}
	{after}
	.cfi_endproc
	.size g, .-g
	.globl f
	.type f, @function
f:	.cfi_startproc
	{mark}
	lghi %r2, 0
	svc 1
	.cfi_endproc
	.size f, .-f
