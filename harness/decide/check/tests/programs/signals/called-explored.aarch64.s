# A function that is called must not be marked as a signal frame: unwinders look up the row at the
# return address, not of the call. Where both rows are equal that is harmless.
# check: explore
#
# case: not marked
# with mark:
# with after:
# expect: clean, 6 of 7 reached
#
# case: rows are equal
# with mark: .cfi_signal_frame
# with after: nop
# expect: clean, 6 of 7 reached
# expect: info eh-frame/signal-matches-truth at .text+0x14..0x20
#
# case: rows differ
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
	bl f
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
