# A throw restores registers by the rules of the frames that it ends: where the value at the landing
# pad is not that of the call, the rule that gave it is named. The function returned three times
# before with equal values in both slots, so that its own instructions show nothing.
# check: execute
# link:
#
# case: right
# with rule: -16
# with restore: 24
# expect: undecided, exited 0
# expect: undecided overwritten-slot at 0x401040..0x401053: 2 answers
#
# case: wrong
# with rule: -24
# with restore: 16
# expect: error, exited 0
# expect: error eh-frame/register-matches-truth at 0x40104c..0x40104d
# expect: undecided overwritten-slot at 0x401040..0x401053: 2 answers
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
	mov $4, %r13d
	mov $0x6666, %ebx
	lea nothing(%rip), %rdi
1:	call shim
	dec %r13d
	jnz 1b
	mov $0x2a2a, %ebx
	lea thrower(%rip), %rdi
.Lfrom:	call shim
.Lto:	nop
.Lpad:	nop
	pop %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size main, .-main

	.type shim, @function
shim:	.cfi_startproc
	push %rbx
	.cfi_def_cfa_offset 16
	push $0x6666
	.cfi_def_cfa_offset 24
	.cfi_offset rbx, {rule}
	mov $0x7777, %ebx
	call *%rdi
	add $8, %rsp
	.cfi_def_cfa_offset 16
	pop %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size shim, .-shim

	.type nothing, @function
nothing:	.cfi_startproc
	ret
	.cfi_endproc
	.size nothing, .-nothing

	# What an unwinder does: it restores rbx from where the rule of shim has it.
	.type thrower, @function
thrower:	.cfi_startproc
	.cfi_undefined rbx
	mov {restore}-8(%rsp), %rbx
	lea .Lpad(%rip), %rax
	mov %rax, 24(%rsp)
	lea 24(%rsp), %rsp
	.cfi_def_cfa_offset -16
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
