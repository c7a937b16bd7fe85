# A function ends in a call that never returns, and the function that it calls is the next one: the call leads to the next
# instruction.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $70, %edi
	call give_up
	movl $1, %eax # not reached
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type give_up, @function
give_up:
	.cfi_startproc
	subq $104, %rsp
	.cfi_def_cfa_offset 112
	addl $3, %edi
	call finish
	.cfi_endproc
	.size give_up, .-give_up

	.type finish, @function
finish:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movl %edi, %ebp
	call leaf
	leal (%rax,%rbp), %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size finish, .-finish

	.type leaf, @function
leaf:
	.cfi_startproc
	movl $4, %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
