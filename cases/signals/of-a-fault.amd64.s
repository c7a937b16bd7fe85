# An instruction that reads address 0 causes SIGSEGV: the handler makes the saved program counter the next instruction's.
	.include "start/start.amd64.s"

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

	handler_begins handler
	addq $2, 168(%rdx)
	handler_ends handler, 3

	.data
	.balign 16
action:
	.quad handler, 0x4000004, restorer + 1, 0

	.section .note.GNU-stack,"",@progbits
