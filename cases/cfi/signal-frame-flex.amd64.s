# A signal frame needs a flexible row: one FDE has both marks.
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

	.type outer, @function
outer:
	.cfi_startproc
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	call marked
	nop
	addq $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size outer, .-outer

	.type marked, @function
marked:
	.cfi_startproc
	.cfi_signal_frame
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	leaq 16(%rsp), %rbx
	.cfi_def_cfa rbx, 0
	leal 5(%rdi), %eax
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size marked, .-marked

	.type after, @function
after:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	leal 3(%rdi), %eax
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size after, .-after

	.section .note.GNU-stack,"",@progbits
