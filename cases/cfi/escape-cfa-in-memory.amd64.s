# A realigned frame keeps its CFA in memory, at an offset from FP that takes two bytes of SLEB128.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $6, %edi
	call before
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type before, @function
before:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	pushq %rbx
	.cfi_offset rbx, -24
	subq $8, %rsp
	movl %edi, %ebx
	call realigned
	movl %eax, %edi
	call after
	addl %ebx, %eax
	addq $8, %rsp
	popq %rbx
	.cfi_restore rbx
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size before, .-before

	.type realigned, @function
realigned:
	.cfi_startproc
	leaq 8(%rsp), %r10
	.cfi_def_cfa r10, 0
	andq $-64, %rsp
	pushq -8(%r10)
	pushq %rbp
	movq %rsp, %rbp
	.cfi_escape 0x10, 0x06, 0x02, 0x76, 0x00 # FP = [rbp]
	subq $136, %rsp
	movq %r10, -136(%rbp)
	.cfi_escape 0x0f, 0x04, 0x76, 0xf8, 0x7e, 0x06 # CFA = [rbp-136]
	call leaf
	movq -136(%rbp), %r10
	.cfi_def_cfa r10, 0
	movq %rbp, %rsp
	popq %rbp
	.cfi_restore rbp
	leaq -8(%r10), %rsp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size realigned, .-realigned

	.type leaf, @function
leaf:
	.cfi_startproc
	xorl %r10d, %r10d # r10 is the caller's to save
	leal 4(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.type after, @function
after:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	leal 3(%rdi), %eax
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size after, .-after

	.section .note.GNU-stack,"",@progbits
