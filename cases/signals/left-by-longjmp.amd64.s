# A handler is not returned from: it jumps back to an earlier call's return, and the frames of the signal are dropped.
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
	call keep
	testl %eax, %eax
	jne 1f
	call deeper
	addl $64, count(%rip)
1:
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size test, .-test

	.type deeper, @function
deeper:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	movl $39, %eax
	syscall
	movl %eax, %edi
	movl $10, %esi
	movl $62, %eax
	syscall
	addl $32, count(%rip)
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size deeper, .-deeper

	.type keep, @function
keep:
	.cfi_startproc
	movq (%rsp), %rax
	movq %rax, place(%rip)
	leaq 8(%rsp), %rax
	movq %rax, place+8(%rip)
	xorl %eax, %eax
	ret
	.cfi_endproc
	.size keep, .-keep

	.type handler, @function
handler:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	call leave
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size handler, .-handler

	.type leave, @function
leave:
	.cfi_startproc
	addl $5, count(%rip)
	movl $1, %eax
	movq place(%rip), %rdx
	movq place+8(%rip), %rsp
	.cfi_def_cfa rsp, 0
	jmp *%rdx
	.cfi_endproc
	.size leave, .-leave

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
	.quad handler, 0x44000004, restorer + 1, 0
place:
	.quad 0, 0, 0
count:
	.long 0

	.section .note.GNU-stack,"",@progbits
