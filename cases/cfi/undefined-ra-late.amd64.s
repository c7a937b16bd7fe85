# The return address becomes undefined in the middle of a function, and no other rule changes there.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	movl $6, %edi
	call outer
	.cfi_undefined rip
	xorl %ebp, %ebp
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	call outer
	movl $0, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start
	.type outer, @function
outer:
	.cfi_startproc
	ret
	.cfi_endproc
	.size outer, .-outer
	.section .note.GNU-stack,"",@progbits
