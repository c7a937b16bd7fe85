# Registers that SFrame does not track are undefined, at function entry and later.
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
	.cfi_undefined rdx
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	movl %edi, %ebx
	xorl %edx, %edx
	xorl %r11d, %r11d
	.cfi_undefined r11
	call leaf
	addl %ebx, %eax
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size outer, .-outer

	.type leaf, @function
leaf:
	.cfi_startproc
	leal 4(%rdi), %eax
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
