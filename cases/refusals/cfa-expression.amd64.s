# The CFA is the sum of two registers, which only an expression can say.
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
	call sum_of_two
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

	.type sum_of_two, @function
sum_of_two:
	.cfi_startproc
	movl $32, %ecx
	.cfi_remember_state
	subq %rcx, %rsp
	.cfi_escape 0x0f, 0x05, 0x77, 0x08, 0x72, 0x00, 0x22 # CFA = rsp+8 + rcx
	leal 4(%rdi), %eax
	addq %rcx, %rsp
	.cfi_restore_state
	xorl %ecx, %ecx
	ret
	.cfi_endproc
	.size sum_of_two, .-sum_of_two

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
