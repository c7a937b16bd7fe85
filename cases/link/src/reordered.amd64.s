# A function of several blocks, with room behind it for their jumps in another order.
	.text
	.globl one
	.type one, @function
one:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	call two
	cmpl $2, %eax
	je .Lpop
	popq %rbp
	.cfi_remember_state
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	movl $9, %eax
	ret
.Lpop:
	.cfi_restore_state
	addl $3, %eax
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size one, .-one

	.p2align 7, 0xcc
	.globl two
	.type two, @function
two:
	.cfi_startproc
	movl $2, %eax
	ret
	.cfi_endproc
	.size two, .-two

	.section .note.GNU-stack,"",@progbits
