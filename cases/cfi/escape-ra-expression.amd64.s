# The return address is found by an expression, a register plus a constant, loaded: a flexible row can say that.
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
	call finds_ra
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

	.type finds_ra, @function
finds_ra:
	.cfi_startproc
	movq (%rsp), %rax
	movq %rax, -16(%rsp) # red zone
	leaq -24(%rsp), %r11
	.cfi_escape 0x10, 0x10, 0x02, 0x7b, 0x08 # RA = [r11+8]
	movq $0, (%rsp) # its home is empty
	leal 4(%rdi), %ecx
	movq -16(%rsp), %rax
	movq %rax, (%rsp)
	.cfi_offset rip, -8
	movq $0, -16(%rsp)
	movl %ecx, %eax
	ret
	.cfi_endproc
	.size finds_ra, .-finds_ra

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
