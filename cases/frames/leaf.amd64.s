# Leaf functions with no frame of their own: locals and FP in the red zone (AMD64), a local area without a saved
# RA (AArch64), FP parked in a floating point register (s390x).
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $4, %edi
	call plain
	movl %eax, %edi
	call locals
	movl %eax, %edi
	call parks_fp
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type plain, @function
plain:
	.cfi_startproc
	leal 3(%rdi), %eax
	ret
	.cfi_endproc
	.size plain, .-plain

	.type locals, @function
locals:
	.cfi_startproc
	movl %edi, -4(%rsp)
	movl $9, -128(%rsp) # the last word of the red zone
	movl -4(%rsp), %eax
	addl -128(%rsp), %eax
	ret
	.cfi_endproc
	.size locals, .-locals

	.type parks_fp, @function
parks_fp:
	.cfi_startproc
	movq %rbp, -16(%rsp)
	.cfi_offset rbp, -24
	movl $17, %ebp
	leal (%rdi,%rbp), %eax
	movq -16(%rsp), %rbp
	.cfi_restore rbp
	ret
	.cfi_endproc
	.size parks_fp, .-parks_fp

	.section .note.GNU-stack,"",@progbits
