# The handler has a stack of its own: the chain goes from one stack to the other at the signal's frame.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $13, %eax
	movl $10, %edi
	leaq action(%rip), %rsi
	xorl %edx, %edx
	movl $8, %r10d
	syscall
	movl $131, %eax
	leaq stack(%rip), %rdi
	xorl %esi, %esi
	syscall
	call test
	movl count(%rip), %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type test, @function
test:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	movl $39, %eax
	syscall
	movl %eax, %edi
	movl $10, %esi
	movl $62, %eax
	syscall
	call leaf
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size test, .-test

	.type leaf, @function
leaf:
	.cfi_startproc
	movl $39, %eax
	syscall
	movl %eax, %edi
	movl $10, %esi
	movl $62, %eax
	syscall
	addl $1, count(%rip)
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.type handler, @function
handler:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movl %edi, %ebp
	call below
	addl $3, count(%rip)
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size handler, .-handler

	.type below, @function
below:
	.cfi_startproc
	addl $2, count(%rip)
	ret
	.cfi_endproc
	.size below, .-below

	.type restorer, @function
restorer:
	.cfi_startproc
	.cfi_signal_frame
	# The kernel's frame is above: uc at SP, and in it rsp at 160, rip at 168, rbp at 120, rbx at 128, r12 at 72.
	.cfi_escape 0x0f, 4, 0x77, 0xa0, 0x01, 0x06 # CFA: [rsp+160]
	.cfi_escape 0x10, 16, 3, 0x77, 0xa8, 0x01 # RA: at rsp+168
	.cfi_escape 0x10, 6, 3, 0x77, 0xf8, 0x00 # rbp: at rsp+120
	.cfi_escape 0x10, 3, 3, 0x77, 0x80, 0x01 # rbx: at rsp+128
	.cfi_escape 0x10, 12, 3, 0x77, 0xc8, 0x00 # r12: at rsp+72
	nop # unwinders look one byte before where the handler returns to
	movl $15, %eax
	syscall
	.cfi_endproc
	.size restorer, .-restorer

	.data
	.balign 16
action:
	.quad handler, 0xc000004, restorer + 1, 0
stack:
	.quad memory
	.long 0, 0
	.quad 16384
count:
	.long 0

	.bss
	.balign 16
memory:
	.skip 16384

	.section .note.GNU-stack,"",@progbits
