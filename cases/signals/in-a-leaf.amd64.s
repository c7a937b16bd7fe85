# A function without a frame sends itself a signal: its caller is found from the handler, through the signal's frame.
	.include "start/start.amd64.s"

	.type test, @function
test:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	call leaf
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size test, .-test

	.type leaf, @function
leaf:
	.cfi_startproc
	movl $39, %eax
	syscall
	movl %eax, %edi
	movl $10, %esi
	movl $62, %eax
	syscall
	addl $2, count(%rip)
	ret
	.cfi_endproc
	.size leaf, .-leaf

	handler_begins handler
	handler_ends handler, 3

	.data
	.balign 16
action:
	.quad handler, 0x4000004, restorer + 1, 0

	.section .note.GNU-stack,"",@progbits
