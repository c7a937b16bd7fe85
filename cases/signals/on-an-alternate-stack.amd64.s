# The handler has a stack of its own: the chain goes from one stack to the other at the signal's frame.
	.include "start/start.amd64.s"

	.type test, @function
test:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	movl $131, %eax
	leaq stack(%rip), %rdi
	xorl %esi, %esi
	syscall
	movl $39, %eax
	syscall
	movl %eax, %edi
	movl $10, %esi
	movl $62, %eax
	syscall
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
	addl $1, count(%rip)
	ret
	.cfi_endproc
	.size leaf, .-leaf

	handler_begins handler
	call below
	handler_ends handler, 3

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
	.quad handler, 0xc000004, restorer + 1, 0
stack:
	.quad memory
	.long 0, 0
	.quad 16384

	.bss
	.balign 16
memory:
	.skip 16384

	.section .note.GNU-stack,"",@progbits
