# Several directives are between two instructions: only the state after the last of them counts.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $8, %edi
	call shuffled
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type shuffled, @function
shuffled:
	.cfi_startproc
	pushq %rbp
	.cfi_adjust_cfa_offset 100
	.cfi_adjust_cfa_offset -92
	.cfi_rel_offset rbp, 0
	.cfi_restore rbp
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa rbp, 80
	.cfi_def_cfa_offset 16
	.cfi_def_cfa rsp, 16
	.cfi_def_cfa_register rbp
	subq $32, %rsp
	.cfi_def_cfa rsp, 48
	.cfi_def_cfa rbp, 16 # there and back: nothing changed
	call leaf
	leave
	.cfi_restore rbp
	.cfi_offset rbp, -24
	.cfi_restore rbp
	.cfi_def_cfa_register rsp
	.cfi_def_cfa_offset 800
	.cfi_adjust_cfa_offset -792
	ret
	.cfi_endproc
	.size shuffled, .-shuffled

	.type leaf, @function
leaf:
	.cfi_startproc
	leal 8(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
