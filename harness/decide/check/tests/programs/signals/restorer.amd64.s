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
# expect: error eh-frame/signal-matches-truth at 0x40103a..0x401042
#
# case: explored, marked
# check: explore
# with mark: .cfi_signal_frame
# expect: clean, 1 of 18 reached
#
# case: explored, not marked
# check: explore
# with mark:
# expect: error, 1 of 18 reached
# expect: error eh-frame/signal-matches-truth at .text+0x3a..0x42
# expect: undecided unconfirmed-state at .text+0x3a..0x42: 3 answers
	.globl _start
	.type _start, @function
_start:	.cfi_startproc
	.cfi_undefined rip
	mov $13, %eax
	mov $10, %edi
	lea action(%rip), %rsi
	xor %edx, %edx
	mov $8, %r10d
	syscall
	mov $39, %eax
	syscall
	mov %eax, %edi
	mov $10, %esi
	mov $62, %eax
	syscall
	mov $60, %eax
	xor %edi, %edi
	syscall
	.cfi_endproc
	.size _start, .-_start
	.type handler, @function
handler:	.cfi_startproc
	ret
	.cfi_endproc
	.size handler, .-handler
	.type restorer, @function
restorer:	.cfi_startproc
	{mark}
	# CFA: [rsp+160]; RA: at rsp+168; rbp: at rsp+120.
	.cfi_escape 0x0f, 4, 0x77, 0xa0, 0x01, 0x06
	.cfi_escape 0x10, 16, 3, 0x77, 0xa8, 0x01
	.cfi_escape 0x10, 6, 3, 0x77, 0xf8, 0x00
	nop
	mov $15, %eax
	syscall
	.cfi_endproc
	.size restorer, .-restorer
	.data
	.balign 8
action:	.quad handler, 0x4000004, restorer + 1, 0
