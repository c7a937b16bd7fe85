# The return address moves to a slot below the frame, the CFA changes there, and it moves back to its home.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $6, %edi
	call outer
	movl $0, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start
	.type outer, @function
outer:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	call victim
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size outer, .-outer
	.type victim, @function
victim:
	.cfi_startproc
	movq (%rsp), %rax
	.cfi_register rip, rax
	movq $0, (%rsp)
	movq %rax, -8(%rsp)
	.cfi_offset rip, -16
	xorl %eax, %eax
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	nop
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	movq -8(%rsp), %rax
	movq %rax, (%rsp)
	.cfi_offset rip, -8
	ret
	.cfi_endproc
	.size victim, .-victim
	.section .note.GNU-stack,"",@progbits
