# A function that is called must not be marked as a signal frame: unwinders look up the row at the
# return address, not of the call. Where both rows are equal that is harmless.
#
# case: executed, not marked
# check: execute
# link:
# with call: blr x0
# with mark:
# with after:
# expect: clean, exited 0
#
# case: executed, rows are equal
# check: execute
# link:
# with call: blr x0
# with mark: .cfi_signal_frame
# with after: nop
# expect: clean, exited 0
# expect: info eh-frame/signal-matches-truth at 0x40008c..0x400098
#
# case: executed, rows differ
# check: execute
# link:
# with call: blr x0
# with mark: .cfi_signal_frame
# with after:
# expect: error, exited 0
# expect: error eh-frame/signal-matches-truth at 0x400088..0x400094
#
# case: explored, not marked
# check: explore
# with call: bl f
# with mark:
# with after:
# expect: clean, 6 of 7 reached
#
# case: explored, rows are equal
# check: explore
# with call: bl f
# with mark: .cfi_signal_frame
# with after: nop
# expect: clean, 6 of 7 reached
# expect: info eh-frame/signal-matches-truth at .text+0x14..0x20
#
# case: explored, rows differ
# check: explore
# with call: bl f
# with mark: .cfi_signal_frame
# with after:
# expect: error, 3 of 7 reached
# expect: error eh-frame/signal-matches-truth at .text+0x10..0x1c
	.globl _start
	.type _start, %function
_start:	.cfi_startproc
	.cfi_undefined x30
	bl g
	.cfi_endproc
	.size _start, .-_start
	.globl g
	.type g, %function
g:	.cfi_startproc
	stp x29, x30, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	adr x0, f
	{call}
	{after}
	.cfi_endproc
	.size g, .-g
	.globl f
	.type f, %function
f:	.cfi_startproc
	{mark}
	mov x8, 93
	mov x0, 0
	svc 0
	.cfi_endproc
	.size f, .-f
