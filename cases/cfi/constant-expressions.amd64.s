# Offsets are constant expressions and symbols, not plain numbers.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $6, %edi
	call outer
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.set LOCALS, 3 * 16
	.set TEN, 5 << 1
	.type outer, @function
outer:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 2 * 8
	.cfi_offset rbp, -(8 + 8)
	subq $LOCALS, %rsp
	.cfi_adjust_cfa_offset LOCALS
	leaq LOCALS(%rsp), %rbp
	call leaf
	addl $TEN, %eax
	addq $LOCALS, %rsp
	.cfi_adjust_cfa_offset -LOCALS
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset TEN - 2
	ret
	.cfi_endproc
	.size outer, .-outer

	.type leaf, @function
leaf:
	.cfi_startproc
	leal 4(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
