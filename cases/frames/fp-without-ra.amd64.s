# FP is saved and used as a plain register while the return address stays where the call left it, or is saved
# later.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $3, %edi
	call leaf_uses_fp
	movl %eax, %edi
	call fp_then_ra
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type leaf_uses_fp, @function
leaf_uses_fp:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	leal 4(%rdi), %ebp # FP as a plain register
	leal (%rbp,%rdi), %eax
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size leaf_uses_fp, .-leaf_uses_fp

	.type fp_then_ra, @function
fp_then_ra:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	leal 5(%rdi), %ebp
	call leaf
	addl %ebp, %eax
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size fp_then_ra, .-fp_then_ra

	.type leaf, @function
leaf:
	.cfi_startproc
	leal 1(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
