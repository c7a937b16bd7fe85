# Where every program of this folder begins, and where its handlers return to. The action is for SIGUSR1 and SIGSEGV; the count is the
# exit status.
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
	lghi %r2, 11
	svc 174
	brasl %r14, test
	larl %r1, count
	l %r2, 0(%r1)
	svc 1
	.cfi_endproc
	.size _start, .-_start

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

	.bss
	.balign 8
count:
	.skip 8

	.text
