# A handler is not returned from: it jumps back to an earlier call's return, and the frames of the signal are dropped.
	.include "start/start.amd64.s"

	.type test, @function
test:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	call keep
	testl %eax, %eax
	jne 1f
	call deeper
	addl $64, count(%rip)
1:
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size test, .-test

	.type deeper, @function
deeper:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	movl $39, %eax
	syscall
	movl %eax, %edi
	movl $10, %esi
	movl $62, %eax
	syscall
	addl $32, count(%rip)
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size deeper, .-deeper

	.type keep, @function
keep:
	.cfi_startproc
	movq (%rsp), %rax
	movq %rax, place(%rip)
	leaq 8(%rsp), %rax
	movq %rax, place+8(%rip)
	xorl %eax, %eax
	ret
	.cfi_endproc
	.size keep, .-keep

	.type handler, @function
handler:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	call leave
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size handler, .-handler

	.type leave, @function
leave:
	.cfi_startproc
	addl $5, count(%rip)
	movl $1, %eax
	movq place(%rip), %rdx
	movq place+8(%rip), %rsp
	.cfi_def_cfa rsp, 0
	jmp *%rdx
	.cfi_endproc
	.size leave, .-leave

	.data
	.balign 16
action:
	.quad handler, 0x44000004, restorer + 1, 0
place:
	.quad 0, 0, 0

	.section .note.GNU-stack,"",@progbits
