# .cfi_def_cfa_register is the first directive of all: the offset is the one of function entry.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $9, %edi
	call outer
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type outer, @function
outer:
	.cfi_startproc
	movq %rbp, -16(%rsp) # red zone
	.cfi_offset rbp, -24
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	leal 18(%rdi), %eax
	movq -16(%rbp), %rbp
	.cfi_restore rbp
	.cfi_def_cfa_register rsp
	ret
	.cfi_endproc
	.size outer, .-outer

	.section .note.GNU-stack,"",@progbits
