# An instruction that reads address 0 causes SIGSEGV: the handler makes the saved program counter the next instruction's.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $13, %eax
	movl $11, %edi
	leaq action(%rip), %rsi
	xorl %edx, %edx
	movl $8, %r10d
	syscall
	call test
	movl count(%rip), %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type test, @function
test:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	call reads
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size test, .-test

	.type reads, @function
reads:
	.cfi_startproc
	xorl %eax, %eax
	movl (%rax), %eax
	addl $2, count(%rip)
	ret
	.cfi_endproc
	.size reads, .-reads

	.type handler, @function
handler:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movl %edi, %ebp
	addq $2, 168(%rdx)
	addl $3, count(%rip)
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size handler, .-handler

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

	.data
	.balign 16
action:
	.quad handler, 0x4000004, restorer + 1, 0
count:
	.long 0

	.section .note.GNU-stack,"",@progbits
