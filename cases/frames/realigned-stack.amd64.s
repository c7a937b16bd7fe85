# The stack pointer is rounded down to 64 bytes; on AMD64 also with the argument pointer that GCC uses, whose
# CFA is in r10 and then in memory.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $6, %edi
	call realigned
	movl %eax, %edi
	call realigned_drap
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type realigned, @function
realigned:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	subq $128, %rsp
	andq $-64, %rsp
	call leaf
	movl %eax, (%rsp)
	movq %rsp, %rax
	andl $63, %eax # 0
	addl (%rsp), %eax
	leave
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size realigned, .-realigned

	.type realigned_drap, @function
realigned_drap:
	.cfi_startproc
	leaq 8(%rsp), %r10
	.cfi_def_cfa r10, 0
	andq $-64, %rsp
	pushq -8(%r10) # a copy of the return address, for debuggers
	pushq %rbp
	movq %rsp, %rbp
	.cfi_escape 0x10, 0x06, 0x02, 0x76, 0x00 # FP = [rbp]
	pushq %r10
	.cfi_escape 0x0f, 0x03, 0x76, 0x78, 0x06 # CFA = [rbp-8]
	subq $104, %rsp
	call leaf
	addl $3, %eax
	addq $104, %rsp
	popq %r10
	.cfi_def_cfa r10, 0
	popq %rbp
	.cfi_restore rbp # GCC 12 leaves this one out, and FP is wrong for two instructions
	leaq -8(%r10), %rsp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size realigned_drap, .-realigned_drap

	.type leaf, @function
leaf:
	.cfi_startproc
	xorl %r10d, %r10d # r10 is the caller's to save
	leal 7(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
