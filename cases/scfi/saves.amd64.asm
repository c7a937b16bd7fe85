# Callee-saved registers pushed in the frame of a function that calls, with two ways out.
	.text
	.globl saves
	.type saves, @function
saves:
	pushq %rbp
	movq %rsp, %rbp
	pushq %rbx
	pushq %r12
	movl %edi, %ebx
	testl %edi, %edi
	je 1f
	call saves
	addl %ebx, %eax
	popq %r12
	popq %rbx
	popq %rbp
	ret
1:	movl $1, %eax
	popq %r12
	popq %rbx
	leave
	ret
	.size saves, .-saves

	.section .note.GNU-stack,"",@progbits
