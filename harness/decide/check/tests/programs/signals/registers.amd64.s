# The rules of the code that a signal handler returns to give the registers of the interrupted
# function, which the kernel saved.
# check: execute
# link:
#
# case: right
# with rbx: 0x80
# expect: clean, exited 0
#
# case: the word of rdx
# with rbx: 0x88
# expect: error, exited 0
# expect: error eh-frame/register-matches-truth at 0x401044..0x401045
	.globl _start
	.type _start, @function
_start:	.cfi_startproc
	.cfi_undefined rip
	mov $13, %eax
	mov $10, %edi
	lea action(%rip), %rsi
	xor %edx, %edx
	mov $8, %r10d
	syscall
	mov $39, %eax
	syscall
	mov %eax, %edi
	mov $10, %esi
	mov $0x1111, %ebx
	mov $0x2222, %edx
	mov $62, %eax
	syscall
	mov $60, %eax
	xor %edi, %edi
	syscall
	.cfi_endproc
	.size _start, .-_start
	.type handler, @function
handler:	.cfi_startproc
	ret
	.cfi_endproc
	.size handler, .-handler
	.type restorer, @function
restorer:	.cfi_startproc
	.cfi_signal_frame
	# CFA: [rsp+160]; RA: at rsp+168; rbp: at rsp+120; rbx: at rsp+128; rdx: at rsp+136.
	.cfi_escape 0x0f, 4, 0x77, 0xa0, 0x01, 0x06
	.cfi_escape 0x10, 16, 3, 0x77, 0xa8, 0x01
	.cfi_escape 0x10, 6, 3, 0x77, 0xf8, 0x00
	.cfi_escape 0x10, 3, 3, 0x77, {rbx}, 0x01
	.cfi_escape 0x10, 1, 3, 0x77, 0x88, 0x01
	nop
	mov $15, %eax
	syscall
	.cfi_endproc
	.size restorer, .-restorer
	.data
	.balign 8
action:	.quad handler, 0x4000004, restorer + 1, 0
