# Two nested functions set up and tear down a frame pointer frame, one instruction at a time.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $10, %edi
	call outer
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type outer, @function
outer:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	pushq %rbx
	.cfi_offset rbx, -24
	subq $24, %rsp
	movl %edi, %ebx
	leal 1(%rdi), %edi
	call inner
	addl %ebx, %eax
	addq $24, %rsp
	popq %rbx
	.cfi_restore rbx
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size outer, .-outer

	.type inner, @function
inner:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	subq $16, %rsp
	movl %edi, -4(%rbp)
	movl -4(%rbp), %eax
	leal 10(%rax,%rax), %eax
	leave
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size inner, .-inner

	.section .note.GNU-stack,"",@progbits
