# A throw restores registers by the rules of the frames that it ends: where the value at the landing
# pad is not that of the call, the rule that gave it is named. `f` always throws, so that no return
# shows that it preserves x19.
# check: execute
# link:
#
# case: right
# with rule: .cfi_offset 19, -16
# with restore: ldr x19, [sp, #16]
# expect: clean, exited 0
#
# case: no rule
# with rule:
# with restore: nop
# expect: error, exited 0
# expect: error eh-frame/register-matches-truth at 0x4000bb..0x4000bf
	.globl _start
	.type _start, %function
_start:	.cfi_startproc
	.cfi_undefined 30
	bl main
	mov x8, #93
	mov x0, #0
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type main, %function
main:	.cfi_startproc
	.cfi_personality 0x1b, __gxx_personality_v0
	.cfi_lsda 0x1b, area
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29, -32
	.cfi_offset 30, -24
	str x19, [sp, #16]
	.cfi_offset 19, -16
	mov x19, #0x2a2a
.Lfrom:	bl f
.Lto:	nop
.Lpad:	nop
	ldr x19, [sp, #16]
	ldp x29, x30, [sp], #32
	.cfi_restore 19
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size main, .-main

	.type f, %function
f:	.cfi_startproc
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29, -32
	.cfi_offset 30, -24
	str x19, [sp, #16]
	{rule}
	mov x19, #0x7777
	bl thrower
	brk #1
	.cfi_endproc
	.size f, .-f

	# What an unwinder does: it restores x19 from where the rule of f has it.
	.type thrower, %function
thrower:	.cfi_startproc
	.cfi_undefined 19
	{restore}
	adr x16, .Lpad
	add sp, sp, #32
	br x16
	.cfi_endproc
	.size thrower, .-thrower

	.globl __gxx_personality_v0
	.type __gxx_personality_v0, %function
__gxx_personality_v0:	.cfi_startproc
	ret
	.cfi_endproc
	.size __gxx_personality_v0, .-__gxx_personality_v0

	.section .gcc_except_table, "a", %progbits
	.balign 4
area:	.byte 0xff, 0xff, 0x01
	.uleb128 .Lend-.Lsites
.Lsites:
	.uleb128 .Lfrom-main, .Lto-.Lfrom, .Lpad-main, 0
.Lend:
