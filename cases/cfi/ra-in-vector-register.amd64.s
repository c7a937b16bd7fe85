# The return address waits in xmm15 (register 32): its control word needs two bytes where no other does.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $6, %edi
	call parks_ra
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type parks_ra, @function
parks_ra:
	.cfi_startproc
	popq %rax
	.cfi_def_cfa_offset 0
	.cfi_register rip, rax
	movq %rax, %xmm15
	.cfi_register rip, xmm15
	pushq %rbx # takes the place of the return address
	.cfi_def_cfa_offset 8
	.cfi_offset rbx, -8
	leal 2(%rdi), %ebx
	leal (%rbx,%rdi), %edi
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 0
	movq %xmm15, %rax
	.cfi_register rip, rax
	pushq %rax
	.cfi_def_cfa_offset 8
	.cfi_restore rip
	movl %edi, %eax
	ret
	.cfi_endproc
	.size parks_ra, .-parks_ra

	.section .note.GNU-stack,"",@progbits
