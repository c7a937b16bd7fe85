# A rule of a calling function is judged at the call: the popped word is still in the red zone at the
# call instruction, and the call overwrites it.
# check: execute
# link:
#
# case: restored before the call
# with early: .cfi_restore rbx
# with late:
# expect: clean, exited 0
#
# case: restored after the call
# with early:
# with late: .cfi_restore rbx
# expect: error, exited 0
# expect: error eh-frame/register-matches-truth at 0x40101e..0x401020
	.globl _start
	.type _start, @function
_start:	.cfi_startproc
	.cfi_undefined rip
	mov $0x1111, %ebx
	call f
	mov $60, %eax
	xor %edi, %edi
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type f, @function
f:	.cfi_startproc
	push %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	mov $0x2222, %ebx
	pop %rbx
	.cfi_def_cfa_offset 8
	{early}
	call g
	{late}
	ret
	.cfi_endproc
	.size f, .-f

	.type g, @function
g:	.cfi_startproc
	ret
	.cfi_endproc
	.size g, .-g
