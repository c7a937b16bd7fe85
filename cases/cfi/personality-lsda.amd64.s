# A function has a personality routine and a language-specific data area, as C++ functions do: nothing that a stack
# trace needs.
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
	.cfi_personality 0x1b, personality
	.cfi_lsda 0x1b, table
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	call leaf
	incl %eax
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
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

	.type personality, @function
personality:
	.cfi_startproc
	ret
	.cfi_endproc
	.size personality, .-personality
	.section .gcc_except_table,"a",@progbits
	.p2align 2
table:
	.byte 0xff
	.byte 0xff
	.byte 1
	.uleb128 0

	.section .note.GNU-stack,"",@progbits
