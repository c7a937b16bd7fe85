# A function that is called must not be marked as a signal frame: unwinders look up the row at the
# return address, not of the call. Where both rows are equal that is harmless.
# check: execute
# link:
#
# case: not marked
# with mark:
# with after:
# expect: clean, exited 0
#
# case: rows are equal
# with mark: .cfi_signal_frame
# with after: nop
# expect: clean, exited 0
# expect: info eh-frame/signal-matches-truth at 0x40008c..0x400098
#
# case: rows differ
# with mark: .cfi_signal_frame
# with after:
# expect: error, exited 0
# expect: error eh-frame/signal-matches-truth at 0x400088..0x400094
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
	blr x0
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
