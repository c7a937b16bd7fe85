# A handler is itself interrupted by another signal: two signals' frames are in one chain.
	.include "start/start.amd64.s"

	.type test, @function
test:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	movl $13, %eax
	movl $12, %edi
	leaq second(%rip), %rsi
	xorl %edx, %edx
	movl $8, %r10d
	syscall
	movl $39, %eax
	syscall
	movl %eax, %edi
	movl $10, %esi
	movl $62, %eax
	syscall
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size test, .-test

	handler_begins handler
	movl $39, %eax
	syscall
	movl %eax, %edi
	movl $12, %esi
	movl $62, %eax
	syscall
	handler_ends handler, 3

	handler_begins inner
	call below
	handler_ends inner, 5

	.type below, @function
below:
	.cfi_startproc
	addl $2, count(%rip)
	ret
	.cfi_endproc
	.size below, .-below

	.data
	.balign 16
action:
	.quad handler, 0x4000004, restorer + 1, 0
second:
	.quad inner, 0x4000004, restorer + 1, 0

	.section .note.GNU-stack,"",@progbits
