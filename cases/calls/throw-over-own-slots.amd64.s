# A throw as libgcc does it: a function writes a handler of an outer frame over its own return address and saved
# registers, and then returns as if it had been called from there. Its rows name the right slots and are not wrong.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	call catcher
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type catcher, @function
catcher:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	movq %rsp, %rdi
	leaq 1f(%rip), %rsi
	movq %rbp, %rdx
	call middle
	movl $1, %eax # not reached
1: movl $33, %eax
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size catcher, .-catcher

	.type middle, @function
middle:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	call raise
	addq $24, %rsp # not reached
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size middle, .-middle

	.type raise, @function
raise:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movl $7, %ebp
	movq %rdx, (%rsp)
	movq %rsi, 8(%rsp)
	call leaf
	movq %rsi, -8(%rdi)
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	leaq -8(%rdi), %rsp # no row can say where the frame is now
	ret
	.cfi_endproc
	.size raise, .-raise

	.type leaf, @function
leaf:
	.cfi_startproc
	nop
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
