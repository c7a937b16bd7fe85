# A frame without a frame pointer, whose size changes twice, and a loop.
	.text
	.globl sums
	.type sums, @function
sums:
	pushq %r13
	subq $40, %rsp
	movl %edi, %r13d
	movq $0, 8(%rsp)
1:	movl %r13d, %edi
	call step
	addq %rax, 8(%rsp)
	subl $1, %r13d
	jne 1b
	movq 8(%rsp), %rax
	addq $40, %rsp
	popq %r13
	ret
	.size sums, .-sums

	.type step, @function
step:
	leal 1(%rdi,%rdi), %eax
	ret
	.size step, .-step

	.section .note.GNU-stack,"",@progbits
