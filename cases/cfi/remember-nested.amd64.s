# Four states are remembered one inside the other and restored in the opposite order.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	xorl %ebx, %ebx
	movl $0, %r12d
1:	movl %r12d, %edi
	call pick
	addl %eax, %ebx
	incl %r12d
	cmpl $5, %r12d
	jne 1b
	movl %ebx, %eax
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type pick, @function
pick:
	.cfi_startproc
	nop
	.cfi_remember_state # 1: nothing saved
	testl %edi, %edi
	je 5f
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	.cfi_remember_state # 2: FP saved
	cmpl $1, %edi
	je 4f
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	.cfi_remember_state # 3: CFA in FP
	cmpl $2, %edi
	je 3f
	movq %rbp, %rax
	movq (%rbp), %rbp
	.cfi_def_cfa rsp, 16
	.cfi_restore rbp
	subq $32, %rsp
	.cfi_def_cfa_offset 48
	.cfi_remember_state # 4: locals
	cmpl $3, %edi
	je 2f
	addq $40, %rsp
	.cfi_def_cfa_offset 8
	movl $5, %eax
	ret
2:	.cfi_restore_state # 4
	addq $40, %rsp
	.cfi_def_cfa_offset 8
	movl $4, %eax
	ret
3:	.cfi_restore_state # 3
	movl $3, %eax
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
4:	.cfi_restore_state # 2
	movl $2, %eax
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
5:	.cfi_restore_state # 1
	movl $1, %eax
	ret
	.cfi_endproc
	.size pick, .-pick

	.section .note.GNU-stack,"",@progbits
