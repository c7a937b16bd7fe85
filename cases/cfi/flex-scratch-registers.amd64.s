# The CFA counts from one scratch register after the other, each time with another offset.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $6, %edi
	call before
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type before, @function
before:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	pushq %rbx
	.cfi_offset rbx, -24
	subq $8, %rsp
	movl %edi, %ebx
	call rounds
	movl %eax, %edi
	call after
	addl %ebx, %eax
	addq $8, %rsp
	popq %rbx
	.cfi_restore rbx
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size before, .-before

	.type rounds, @function
rounds:
	.cfi_startproc
	leaq 8(%rsp), %rax
	.cfi_def_cfa rax, 0
	leaq 0(%rsp), %rcx
	.cfi_def_cfa rcx, 8
	leaq -8(%rsp), %rdx
	.cfi_def_cfa rdx, 16
	leaq -16(%rsp), %rsi
	.cfi_def_cfa rsi, 24
	leaq -24(%rsp), %r8
	.cfi_def_cfa r8, 32
	leaq -32(%rsp), %r9
	.cfi_def_cfa r9, 40
	leaq -40(%rsp), %r10
	.cfi_def_cfa r10, 48
	leaq -48(%rsp), %r11
	.cfi_def_cfa r11, 56
	.cfi_def_cfa rsp, 8
	xorl %eax, %eax
	xorl %ecx, %ecx
	xorl %edx, %edx
	xorl %esi, %esi
	xorl %r8d, %r8d
	xorl %r9d, %r9d
	xorl %r10d, %r10d
	xorl %r11d, %r11d
	leal 4(%rdi), %eax
	ret
	.cfi_endproc
	.size rounds, .-rounds

	.type after, @function
after:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	leal 3(%rdi), %eax
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size after, .-after

	.section .note.GNU-stack,"",@progbits
