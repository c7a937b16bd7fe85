# The return address goes to a register, to a second slot and back to its home, which .cfi_offset names.
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
	call moves_ra
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

	.type moves_ra, @function
moves_ra:
	.cfi_startproc
	movq (%rsp), %rax
	.cfi_register rip, rax
	movq $0, (%rsp) # its home is empty
	movq %rax, -8(%rsp) # red zone
	.cfi_offset rip, -16
	xorl %eax, %eax
	leal 4(%rdi), %ecx
	movq -8(%rsp), %rax
	movq %rax, (%rsp)
	.cfi_offset rip, -8
	movq $0, -8(%rsp)
	movl %ecx, %eax
	ret
	.cfi_endproc
	.size moves_ra, .-moves_ra

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
