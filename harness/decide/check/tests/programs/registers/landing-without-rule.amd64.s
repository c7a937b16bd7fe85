# A function that stores a register and always throws restores it nowhere: that it has no rule shows
# at the landing pad, where the catching function finds another value.
# check: execute
# link:
#
# case: right
# with rule: .cfi_offset rbx, -16
# with restore: mov 8(%rsp), %rbx
# expect: undecided, exited 0
# expect: undecided overwritten-slot at 0x40101d..0x401029: 2 answers
#
# case: no rule
# with rule:
# with restore: nop
# expect: error, exited 0
# expect: error eh-frame/register-matches-truth at 0x401027..0x401029
# expect: undecided overwritten-slot at 0x40101d..0x401029: 2 answers
	.globl _start
	.type _start, @function
_start:	.cfi_startproc
	.cfi_undefined rip
	call main
	mov $60, %eax
	xor %edi, %edi
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type main, @function
main:	.cfi_startproc
	.cfi_personality 0x1b, __gxx_personality_v0
	.cfi_lsda 0x1b, area
	push %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	mov $0x2a2a, %ebx
.Lfrom:	call f
.Lto:	nop
.Lpad:	nop
	pop %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size main, .-main

	.type f, @function
f:	.cfi_startproc
	push %rbx
	.cfi_def_cfa_offset 16
	{rule}
	mov $0x7777, %ebx
	call thrower
	hlt
	.cfi_endproc
	.size f, .-f

	# What an unwinder does: it restores rbx from where the rule of f has it.
	.type thrower, @function
thrower:	.cfi_startproc
	.cfi_undefined rbx
	{restore}
	lea .Lpad(%rip), %rax
	mov %rax, 16(%rsp)
	lea 16(%rsp), %rsp
	.cfi_def_cfa_offset -8
	ret
	.cfi_endproc
	.size thrower, .-thrower

	.globl __gxx_personality_v0
	.type __gxx_personality_v0, @function
__gxx_personality_v0:	.cfi_startproc
	ret
	.cfi_endproc
	.size __gxx_personality_v0, .-__gxx_personality_v0

	.section .gcc_except_table, "a", @progbits
	.balign 4
area:	.byte 0xff, 0xff, 0x01
	.uleb128 .Lend-.Lsites
.Lsites:
	.uleb128 .Lfrom-main, .Lto-.Lfrom, .Lpad-main, 0
.Lend:
