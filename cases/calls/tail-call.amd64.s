# Functions leave by a jump to another function, with and without a frame of their own to take down first.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $3, %edi
	call first
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type first, @function
first:
	.cfi_startproc
	addl $1, %edi
	jmp second
	.cfi_endproc
	.size first, .-first

	.type second, @function
second:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movl %edi, %ebp
	call leaf
	leal (%rax,%rbp), %edi
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	cmpl $100, %edi
	jne third # a conditional tail call
	ret
	.cfi_endproc
	.size second, .-second

	.type third, @function
third:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	movl %edi, 8(%rsp)
	call leaf
	addl 8(%rsp), %eax
	movl %eax, %edi
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	leaq leaf(%rip), %rax
	jmp *%rax
	.cfi_endproc
	.size third, .-third

	.type leaf, @function
leaf:
	.cfi_startproc
	leal 5(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
