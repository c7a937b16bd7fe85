# Where every program of this folder begins, and where its handlers return to. The action is for SIGUSR1 and SIGSEGV; the count is the
# exit status.

# The frame of a handler: its number is kept in a register that the convention makes it save.
	.macro handler_begins name
	.type \name, @function
\name:
	.cfi_startproc
	stmg %r11, %r15, 88(%r15)
	.cfi_offset %r11, -72
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lgr %r11, %r2
	.endm

# What it adds to the count, and its way back.
	.macro handler_ends name, by
	larl %r1, count
	l %r2, 0(%r1)
	ahi %r2, \by
	st %r2, 0(%r1)
	lmg %r11, %r15, 248(%r15)
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size \name, .-\name
	.endm

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
