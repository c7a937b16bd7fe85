# Callee-saved registers, FP among them, are saved in orders and at places no compiler picks.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $1, %edi
	call odd_order
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type odd_order, @function
odd_order:
	.cfi_startproc
	pushq %r12
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset r12, 0
	pushq %rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbx, 0
	pushq %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbp, 0
	pushq %r15
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset r15, 0
	movl %edi, %ebp
	leal 1(%rdi), %ebx
	call slots
	leal (%rax,%rbx), %eax
	addl %ebp, %eax
	popq %r15
	.cfi_adjust_cfa_offset -8
	.cfi_restore r15
	popq %rbp
	.cfi_adjust_cfa_offset -8
	.cfi_restore rbp
	popq %rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore rbx
	popq %r12
	.cfi_adjust_cfa_offset -8
	.cfi_restore r12
	ret
	.cfi_endproc
	.size odd_order, .-odd_order

	.type slots, @function
slots:
	.cfi_startproc
	subq $56, %rsp
	.cfi_def_cfa_offset 64
	movq %r13, 40(%rsp)
	.cfi_offset r13, -24
	movq %rbp, (%rsp) # the slot furthest from the CFA
	.cfi_offset rbp, -64
	movq %rbx, 16(%rsp)
	.cfi_offset rbx, -48
	leal 4(%rdi), %ebp
	movl %ebp, %edi
	call last_first
	addl %ebp, %eax
	movq (%rsp), %rbp
	.cfi_restore rbp
	movq 40(%rsp), %r13
	.cfi_restore r13
	movq 16(%rsp), %rbx
	.cfi_restore rbx
	addq $56, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size slots, .-slots

	.type last_first, @function
last_first:
	.cfi_startproc
	pushq %r14
	.cfi_def_cfa_offset 16
	.cfi_offset r14, -16
	pushq %r13
	.cfi_def_cfa_offset 24
	.cfi_offset r13, -24
	pushq %rbp
	.cfi_def_cfa_offset 32
	.cfi_offset rbp, -32
	leal 8(%rdi), %ebp
	movl %ebp, %eax
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 24
	addq $8, %rsp # r13 was not changed: dropped, not popped
	.cfi_restore r13
	.cfi_def_cfa_offset 16
	popq %r14
	.cfi_restore r14
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size last_first, .-last_first

	.section .note.GNU-stack,"",@progbits
