# No function of the file has a form: a header alone remains, or nothing; not run, for nothing is left to judge.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	.cfi_val_offset rbp, 0
	movl $60, %eax
	xorl %edi, %edi
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type second, @function
second:
	.cfi_startproc
	.cfi_val_offset rbp, 8
	ret
	.cfi_endproc
	.size second, .-second

	.section .note.GNU-stack,"",@progbits
