# FP is found by an expression, then in a register, then in a slot.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $6, %edi
	call before
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type before, @function
before:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	pushq %rbx
	.cfi_offset rbx, -24
	subq $8, %rsp
	movl %edi, %ebx
	call wanders
	movl %eax, %edi
	call after
	addl %ebx, %eax
	addq $8, %rsp
	popq %rbx
	.cfi_restore rbx
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size before, .-before

	.type wanders, @function
wanders:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	.cfi_escape 0x10, 0x06, 0x02, 0x76, 0x00 # FP = [rbp]
	subq $16, %rsp
	movq (%rbp), %r11
	.cfi_register rbp, r11
	movq $-1, (%rbp)
	movq %r11, -8(%rbp)
	.cfi_offset rbp, -24
	xorl %r11d, %r11d
	leal 4(%rdi), %eax
	movq -8(%rbp), %r11
	movq %rbp, %rsp
	movq %r11, (%rsp)
	.cfi_offset rbp, -16
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size wanders, .-wanders

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
