# A loop calls two leaf functions 200 times, each at one place with one return address.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	call spin
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type spin, @function
spin:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	movl $200, %ebx
	xorl %edi, %edi
1:	call up
	movl %eax, %edi
	call down
	movl %eax, %edi
	decl %ebx
	jne 1b
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size spin, .-spin

	.type up, @function
up:
	.cfi_startproc
	leal 2(%rdi), %eax
	ret
	.cfi_endproc
	.size up, .-up

	.type down, @function
down:
	.cfi_startproc
	leal -1(%rdi), %eax
	ret
	.cfi_endproc
	.size down, .-down

	.section .note.GNU-stack,"",@progbits
