# A longjmp whose last instructions are described as if it had landed already, as glibc's is. No assembler writes SFrame for it.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	call catch_deep
	movl %eax, %ebx
	call catch_near
	addl %ebx, %eax
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type catch_deep, @function
catch_deep:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	leaq context(%rip), %rdi
	call save_context
	testl %eax, %eax
	jne 1f
	movl $5, %edi
	call dive
1:	addl $1, %eax
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size catch_deep, .-catch_deep

	.type dive, @function
dive:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movl %edi, %ebp
	decl %edi
	jne 1f
	leaq context(%rip), %rdi
	movl $7, %esi
	call resume_context
1:	call dive
	addl %ebp, %eax
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size dive, .-dive

	.type catch_near, @function
catch_near:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	leaq context(%rip), %rdi
	call save_context
	testl %eax, %eax
	jne 1f
	leaq context(%rip), %rdi
	movl $3, %esi
	call resume_context
1:	addl $1, %eax
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size catch_near, .-catch_near

	.type save_context, @function
save_context:
	.cfi_startproc
	movq %rbx, (%rdi)
	movq %rbp, 8(%rdi)
	leaq 8(%rsp), %rdx # SP after the return
	movq %rdx, 16(%rdi)
	movq (%rsp), %rdx
	movq %rdx, 24(%rdi)
	xorl %eax, %eax
	ret
	.cfi_endproc
	.size save_context, .-save_context

	.type resume_context, @function
resume_context:
	.cfi_startproc
	movl %esi, %eax
	movq 16(%rdi), %r8
	movq 24(%rdi), %rdx
	movq 8(%rdi), %r9
	.cfi_escape 0x0c, 5, 0 # DW_CFA_def_cfa rdi, 0: from here on the frame is described as the one that is resumed
	.cfi_offset rbx, 0
	.cfi_register rbp, r9
	.cfi_register rsp, r8
	.cfi_register rip, rdx
	movq (%rdi), %rbx
	movq %r9, %rbp
	movq %r8, %rsp
	jmp *%rdx
	.cfi_endproc
	.size resume_context, .-resume_context

	.data
	.align 8
context:	.skip 32

	.section .note.GNU-stack,"",@progbits
