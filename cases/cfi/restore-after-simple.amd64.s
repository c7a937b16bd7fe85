# `bare` begins with an escape, which no CIE takes: its CIE has no rules, and gas gives `outer` and `leaf` that CIE too.
	.text
	.type bare, @function
bare:
	.cfi_startproc simple
	.cfi_escape 0
	.cfi_def_cfa rsp, 8
	.cfi_offset rip, -8
	ret
	.cfi_endproc
	.size bare, .-bare

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
	call leaf
	.cfi_restore rip
	incl %eax
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
