# Rows start after jumps whose length, and after padding whose size, is known only when the whole section is laid
# out; late() grows past 255 bytes by it, and its section is laid out after .sframe.
	.ifdef .gasversion. # LLVM's assembler has another type for this section.
	.section .sframe,"a"
	.endif
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $6, %edi
	call hops
	movl %eax, %edi
	call late
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type hops, @function
hops:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movl %edi, %ebp
	cmpl $6, %edi
	je 2f # short or near: known only when all is laid out
	ud2
	.p2align 5
1:	.cfi_def_cfa_offset 32
	leal 1(%rbp), %eax
	addq $16, %rsp
	.cfi_def_cfa_offset 16
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.skip 90
	.p2align 4
2:	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	subq $16, %rsp
	.cfi_def_cfa_offset 32
	call leaf
	movl %eax, %ebp
	.p2align 4
	jmp 1b
	.skip 40
	.cfi_endproc
	.size hops, .-hops

	.type leaf, @function
leaf:
	.cfi_startproc
	leal 4(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .text.late,"ax",@progbits
	.type late, @function
late:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	movl %edi, %ebx
	testl %edi, %edi
	je 3f
	movl %ebx, %eax
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.skip 239
3:	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	xorl %eax, %eax
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size late, .-late

	.section .note.GNU-stack,"",@progbits
