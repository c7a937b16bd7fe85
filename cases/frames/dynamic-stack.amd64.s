# The stack grows by an amount known only at run time, so the CFA must be found through FP.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $100, %edi
	call grow
	movl %eax, %ebx
	movl $5000, %edi
	call grow
	addl %ebx, %eax
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type grow, @function
grow:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	pushq %rbx
	.cfi_offset rbx, -24
	movl %edi, %ebx
	addl $15, %edi
	andl $-16, %edi
	subq %rdi, %rsp
	subq $8, %rsp
	movq %rsp, %rdi
	movl %ebx, %esi
	call touch
	subq $32, %rsp # once more, after a call
	movq %rax, (%rsp)
	movq (%rsp), %rax
	movq -8(%rbp), %rbx
	.cfi_restore rbx
	leave
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size grow, .-grow

	.type touch, @function
touch:
	.cfi_startproc
	movb $1, (%rdi)
	movb $2, -1(%rdi,%rsi)
	movl $20, %eax
	ret
	.cfi_endproc
	.size touch, .-touch

	.section .note.GNU-stack,"",@progbits
