# A function writes past its buffer: over a saved frame pointer and a return address. The function whose they were
# returns to where the program never called anything. The tables name the right slots and are not wrong.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	call outer
	movl $1, %edi # not reached
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type outer, @function
outer:
	.cfi_startproc
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	call victim
	addq $8, %rsp # not reached
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size outer, .-outer

	.type victim, @function
victim:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	subq $32, %rsp
	movq %rsp, %rdi
	call fill
	movl %ecx, %eax
	leave
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size victim, .-victim

	.type fill, @function
fill:
	.cfi_startproc
	leaq reached(%rip), %rax
	movl $6, %ecx # four words of buffer, FP and the return address
1: movq %rax, (%rdi)
	addq $8, %rdi
	decl %ecx
	jne 1b
	ret
	.cfi_endproc
	.size fill, .-fill

	.type reached, @function
reached:
	.cfi_startproc
	subq $16, %rsp
	.cfi_def_cfa_offset 24
	call leaf
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size reached, .-reached

	.type leaf, @function
leaf:
	.cfi_startproc
	movl $42, %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
