# A function longer than 65,535 bytes, with rows after that offset: row starts need four bytes.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $9, %edi
	call big
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type big, @function
big:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movl %edi, %ebp
	call leaf
	jmp 1f
	.skip 70000, 0x90
1:	pushq %rbx
	.cfi_def_cfa_offset 24
	.cfi_offset rbx, -24
	movl %eax, %ebx
	movl %ebp, %edi
	call leaf # beyond the offset that a smaller row start could hold
	addl %ebx, %eax
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 16
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size big, .-big

	.type leaf, @function
leaf:
	.cfi_startproc
	leal 3(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
