# Space of a size that is not known, released by the frame pointer.
	.text
	.globl room
	.type room, @function
room:
	pushq %rbp
	movq %rsp, %rbp
	pushq %rbx
	subq $24, %rsp
	movl %edi, %ebx
	leaq 15(%rdi), %rax
	andl $4080, %eax
	subq %rax, %rsp
	movl %ebx, (%rsp)
	movl (%rsp), %eax
	leaq -8(%rbp), %rsp
	popq %rbx
	popq %rbp
	ret
	.size room, .-room

	.section .note.GNU-stack,"",@progbits
