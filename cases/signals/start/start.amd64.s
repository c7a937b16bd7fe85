# Where every program of this folder begins, and where its handlers return to. The action is for SIGUSR1 and SIGSEGV; the count is the
# exit status.

# The frame of a handler: its number is kept in a register that the convention makes it save.
	.macro handler_begins name
	.type \name, @function
\name:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movl %edi, %ebp
	.endm

# What it adds to the count, and its way back.
	.macro handler_ends name, by
	addl $\by, count(%rip)
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size \name, .-\name
	.endm

	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $13, %eax
	movl $10, %edi
	leaq action(%rip), %rsi
	xorl %edx, %edx
	movl $8, %r10d
	syscall
	movl $13, %eax
	movl $11, %edi
	syscall
	call test
	movl count(%rip), %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type restorer, @function
restorer:
	.cfi_startproc
	.cfi_signal_frame
	# The kernel's frame is above: uc at SP, and in it rsp at 160, rip at 168, rbp at 120, rbx at 128, r12 at 72.
	.cfi_escape 0x0f, 4, 0x77, 0xa0, 0x01, 0x06 # CFA: [rsp+160]
	.cfi_escape 0x10, 16, 3, 0x77, 0xa8, 0x01 # RA: at rsp+168
	.cfi_escape 0x10, 6, 3, 0x77, 0xf8, 0x00 # rbp: at rsp+120
	.cfi_escape 0x10, 3, 3, 0x77, 0x80, 0x01 # rbx: at rsp+128
	.cfi_escape 0x10, 12, 3, 0x77, 0xc8, 0x00 # r12: at rsp+72
	nop # unwinders look one byte before where the handler returns to
	movl $15, %eax
	syscall
	.cfi_endproc
	.size restorer, .-restorer

	.bss
	.balign 8
count:
	.skip 8

	.text
