# one(), or two() where SECOND is defined, each calling inl() of a COMDAT group that both objects have. FIRST puts that before the others.
	.macro group
	.section .text.inl,"axG",@progbits,inl,comdat
	.weak inl
	.type inl, @function
inl:
	.cfi_startproc
	movl $2, %eax
	ret
	.cfi_endproc
	.size inl, .-inl
	.endm

	.ifdef FIRST
	group
	.endif
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
	call inl
	.ifdef SECOND
	addl $2, %eax
	.else
	addl $1, %eax
	.endif
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

	.ifndef FIRST
	group
	.endif

	.section .note.GNU-stack,"",@progbits
