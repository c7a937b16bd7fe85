# one(), or two() where SECOND is defined, each with a local function of the same name that differs.
	.ifdef SECOND
	.section .text.two,"ax",@progbits
	.globl two
	.type two, @function
two:
	.else
	.section .text.one,"ax",@progbits
	.globl one
	.type one, @function
one:
	.endif
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	call helper
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.ifdef SECOND
	.size two, .-two
	.else
	.size one, .-one
	.endif

	.type helper, @function
helper:
	.cfi_startproc
	.ifdef SECOND
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	movl $4, %eax
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.else
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	movl $3, %eax
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
	.endif
	.cfi_endproc
	.size helper, .-helper

	.section .note.GNU-stack,"",@progbits
