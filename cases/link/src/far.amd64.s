# far_away() is 5, in a section of its own. No .eh_frame: its start fields have 32 bits and could not reach either.
	.ifdef CONTROL
	.cfi_sections .debug_frame
	.else
	.cfi_sections .sframe
	.endif
	.section .far,"ax",@progbits
	.globl far_away
	.type far_away, @function
far_away:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	call far_leaf
	addl $1, %eax
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size far_away, .-far_away

	.type far_leaf, @function
far_leaf:
	.cfi_startproc
	movl $4, %eax
	ret
	.cfi_endproc
	.size far_leaf, .-far_leaf

	.section .note.GNU-stack,"",@progbits
