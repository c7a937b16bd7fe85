# Two adjacent functions cannot be encoded, nor can the last of the file: the functions before, between and after
# them keep their own rows.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $6, %edi
	call first
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type first, @function
first:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	leaq -16(%rsp), %rbp # what the functions called say of it: CFA-16
	call refused_1
	movl %eax, %edi
	call refused_2
	movl %eax, %edi
	call second
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size first, .-first

	.type refused_1, @function
refused_1:
	.cfi_startproc
	.cfi_val_offset rbp, -16
	movl $1, %ebp
	addl %ebp, %edi
	movl %edi, %eax
	leaq -8(%rsp), %rbp
	.cfi_restore rbp
	ret
	.cfi_endproc
	.size refused_1, .-refused_1

	.type refused_2, @function
refused_2:
	.cfi_startproc
	.cfi_val_offset rbp, -16
	movl $2, %ebp
	addl %ebp, %edi
	movl %edi, %eax
	leaq -8(%rsp), %rbp
	.cfi_restore rbp
	ret
	.cfi_endproc
	.size refused_2, .-refused_2

	.type second, @function
second:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	leaq -16(%rsp), %rbp # what the functions called say of it: CFA-16
	call refused_3
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size second, .-second

	.type refused_3, @function
refused_3:
	.cfi_startproc
	.cfi_val_offset rbp, -16
	movl $3, %ebp
	addl %ebp, %edi
	movl %edi, %eax
	leaq -8(%rsp), %rbp
	.cfi_restore rbp
	ret
	.cfi_endproc
	.size refused_3, .-refused_3

	.section .note.GNU-stack,"",@progbits
