# one() and two() call same_a() and same_b(), whose code is the same.
	.section .text.one,"ax",@progbits
	.globl one
	.type one, @function
one:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	call same_a
	addl $1, %eax
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size one, .-one

	.section .text.two,"ax",@progbits
	.globl two
	.type two, @function
two:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	call same_b
	addl $2, %eax
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size two, .-two

	.section .text.same_a,"ax",@progbits
	.globl same_a
	.type same_a, @function
same_a:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	call base
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size same_a, .-same_a

	.section .text.same_b,"ax",@progbits
	.globl same_b
	.type same_b, @function
same_b:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	call base
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size same_b, .-same_b

	.section .text.base,"ax",@progbits
	.type base, @function
base:
	.cfi_startproc
	movl $2, %eax
	ret
	.cfi_endproc
	.size base, .-base

	.section .note.GNU-stack,"",@progbits
