# A register without a rule keeps its value, by convention. A function that stores it and restores it
# at each return preserves it, and needs a rule; one that never restores it follows another
# convention.
# check: execute
# link:
#
# case: saved and restored
# with save: mov %rbx, -8(%rsp)
# with change: mov $5, %ebx
# with restore: mov -8(%rsp), %rbx
# expect: error, exited 0
# expect: error eh-frame/register-matches-truth at 0x40101d..0x401023
#
# case: not changed
# with save: mov %rbx, -8(%rsp)
# with change: nop
# with restore: nop
# expect: clean, exited 0
#
# case: never restored
# with save: mov %rbx, -8(%rsp)
# with change: mov $5, %ebx
# with restore: nop
# expect: clean, exited 0
#
# case: not saved
# with save: nop
# with change: mov $5, %ebx
# with restore: nop
# expect: clean, exited 0
#
# case: never returns
# with save: mov %rbx, -8(%rsp)
# with change: mov $60, %eax; mov $5, %ebx; xor %edi, %edi; syscall
# with restore: nop
# expect: clean, exited 0
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
	{save}
	{change}
	nop
	{restore}
	ret
	.cfi_endproc
	.size f, .-f
