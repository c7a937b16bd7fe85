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
# expect: info eh-frame/signal-matches-truth at 0x401013..0x40101c
#
# case: rows differ
# with mark: .cfi_signal_frame
# with after:
# expect: error, exited 0
# expect: error eh-frame/signal-matches-truth at 0x401012..0x40101b
	.globl _start
	.type _start, @function
_start:	.cfi_startproc
	.cfi_undefined rip
	call g
	.cfi_endproc
	.size _start, .-_start
	.globl g
	.type g, @function
g:	.cfi_startproc
	sub $8, %rsp
	.cfi_def_cfa_offset 16
	lea f(%rip), %rax
	call *%rax
	{after}
	.cfi_endproc
	.size g, .-g
	.globl f
	.type f, @function
f:	.cfi_startproc
	{mark}
	mov $60, %eax
	xor %edi, %edi
	syscall
	.cfi_endproc
	.size f, .-f
