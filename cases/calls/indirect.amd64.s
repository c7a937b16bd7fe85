# Calls through a register and through a table of addresses in memory.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $6, %edi
	call call_all
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type call_all, @function
call_all:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	leaq table(%rip), %rbx
1:	movq (%rbx), %rax
	testq %rax, %rax
	je 2f
	call *%rax # through a register
	movl %eax, %edi
	call *(%rbx) # through memory
	movl %eax, %edi
	addq $8, %rbx
	jmp 1b
2:	leal 21(%rdi), %eax
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size call_all, .-call_all

	.type add_one, @function
add_one:
	.cfi_startproc
	leal 1(%rdi), %eax
	ret
	.cfi_endproc
	.size add_one, .-add_one

	.type double, @function
double:
	.cfi_startproc
	leal (%rdi,%rdi), %eax
	ret
	.cfi_endproc
	.size double, .-double

	.data
	.align 8
table:
	.quad add_one
	.quad double
	.quad 0

	.section .note.GNU-stack,"",@progbits
