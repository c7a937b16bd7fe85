# FP is restored and .cfi_same_value tells so of it alone; its slot is overwritten before the CFA changes.
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
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movl $5, %ebp
	movq (%rsp), %rbp
	.cfi_same_value rbp
	movq $0, (%rsp)
	nop
	addq $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size victim, .-victim
	.section .note.GNU-stack,"",@progbits
