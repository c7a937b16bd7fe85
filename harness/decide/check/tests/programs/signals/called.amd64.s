# A function that is called must not be marked as a signal frame: unwinders look up the row at the
# return address, not of the call. Where both rows are equal that is harmless.
# with before:
#
# case: executed, not marked
# check: execute
# link:
# with call: call *%rax
# with mark:
# with after:
# expect: clean, exited 0
#
# case: executed, rows are equal
# check: execute
# link:
# with call: call *%rax
# with mark: .cfi_signal_frame
# with after: nop
# expect: clean, exited 0
# expect: info eh-frame/signal-matches-truth at 0x401013..0x40101c
#
# case: executed, rows differ
# check: execute
# link:
# with call: call *%rax
# with mark: .cfi_signal_frame
# with after:
# expect: error, exited 0
# expect: error eh-frame/signal-matches-truth at 0x401012..0x40101b
#
# case: explored, not marked
# check: explore
# with call: call f
# with mark:
# with after:
# expect: clean, 6 of 7 reached
#
# case: explored, rows are equal
# check: explore
# with call: call f
# with mark: .cfi_signal_frame
# with after: nop
# expect: clean, 6 of 7 reached
# expect: info eh-frame/signal-matches-truth at .text+0x16..0x1f
#
# case: explored, rows differ
# check: explore
# with call: call f
# with mark: .cfi_signal_frame
# with after:
# expect: error, 3 of 7 reached
# expect: error eh-frame/signal-matches-truth at .text+0x15..0x1e
#
# case: explored, CFA from FP before and from SP after
# check: explore
# with call: call f
# with mark: .cfi_signal_frame
# with before: push %rbp; .cfi_def_cfa_offset 24; .cfi_offset rbp, -24; mov %rsp, %rbp; .cfi_def_cfa rbp, 24
# with after: .cfi_def_cfa rsp, 24; nop
# expect: clean, 8 of 9 reached
# expect: info eh-frame/signal-matches-truth at .text+0x1a..0x23
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
	{before}
	lea f(%rip), %rax
	{call}
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
