# A rule for a register that a call need not preserve is judged too, in a function that restores it.
# check: execute
# link:
#
# case: right
# with rcx: -16
# expect: clean, exited 0
#
# case: the slot of rdx
# with rcx: -24
# expect: error, exited 0
# expect: error eh-frame/register-matches-truth at 0x40101a..0x401022
	.globl _start
	.type _start, @function
_start:	.cfi_startproc
	.cfi_undefined rip
	mov $0x1111, %ecx
	mov $0x2222, %edx
	call f
	mov $60, %eax
	xor %edi, %edi
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type f, @function
f:	.cfi_startproc
	push %rcx
	.cfi_def_cfa_offset 16
	push %rdx
	.cfi_def_cfa_offset 24
	.cfi_offset rcx, {rcx}
	.cfi_offset rdx, -24
	mov $0x3333, %ecx
	nop
	pop %rdx
	.cfi_restore rdx
	.cfi_def_cfa_offset 16
	pop %rcx
	.cfi_restore rcx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size f, .-f
