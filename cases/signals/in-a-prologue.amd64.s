# A signal comes between the lowering of SP and the first save, and between the last restore and the raising: there no slot of the
# frame holds anything.
	.include "start/start.amd64.s"

	.type test, @function
test:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	call slow
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size test, .-test

	.type slow, @function
slow:
	.cfi_startproc
	subq $40, %rsp
	.cfi_def_cfa_offset 48
	movl $39, %eax
	syscall
	movl %eax, %edi
	movl $10, %esi
	movl $62, %eax
	syscall
	movq %rbx, 32(%rsp)
	.cfi_offset rbx, -16
	movl $4, %ebx
	addl %ebx, count(%rip)
	movq 32(%rsp), %rbx
	.cfi_restore rbx
	movl $39, %eax
	syscall
	movl %eax, %edi
	movl $10, %esi
	movl $62, %eax
	syscall
	addq $40, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size slow, .-slow

	handler_begins handler
	handler_ends handler, 3

	.data
	.balign 16
action:
	.quad handler, 0x4000004, restorer + 1, 0

	.section .note.GNU-stack,"",@progbits
