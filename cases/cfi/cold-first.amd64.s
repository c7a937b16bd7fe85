# The cold part of a function comes first of all in the file and takes the frame down: .cfi_restore means the rule of
# a fresh call, not the one the cold part began with.
	.section .text.unlikely,"ax",@progbits
	.type hot.cold, @function
hot.cold:
	.cfi_startproc
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	leal 10(%rdi), %eax
	popq %rbp
	.cfi_def_cfa_offset 8
	.cfi_restore rbp
	movq $-1, -8(%rsp) # the slot is dead
	ret
	.cfi_endproc
	.size hot.cold, .-hot.cold

	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $6, %edi
	call hot
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type hot, @function
hot:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movl %edi, %ebp
	jmp hot.cold
	.cfi_endproc
	.size hot, .-hot

	.section .note.GNU-stack,"",@progbits
