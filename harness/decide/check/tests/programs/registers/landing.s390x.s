# A throw restores registers by the rules of the frames that it ends: where the value at the landing
# pad is not that of the call, the rule that gave it is named. r6 and r7 are set by the unwinder. `f`
# always throws, so that no return shows that it preserves r9.
# check: execute
# link:
#
# case: right
# with rule: .cfi_offset %r9, -88
# with restore: lg %r9, 232(%r15)
# expect: clean, exited 0
#
# case: no rule
# with rule:
# with restore: nopr
# expect: error, exited 0
# expect: error eh-frame/register-matches-truth at 0x10000c5..0x10000c7
	.globl _start
	.type _start, @function
_start:	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	brasl %r14, main
	lghi %r2, 0
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type main, @function
main:	.cfi_startproc
	.cfi_personality 0x1b, __gxx_personality_v0
	.cfi_lsda 0x1b, area
	stmg %r6, %r15, 48(%r15)
	.cfi_offset %r6, -112
	.cfi_offset %r7, -104
	.cfi_offset %r8, -96
	.cfi_offset %r9, -88
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lghi %r6, 0x1111
	lghi %r9, 0x2a2a
.Lfrom:	brasl %r14, f
.Lto:	nopr
.Lpad:	nopr
	lmg %r6, %r15, 208(%r15)
	.cfi_restore %r6
	.cfi_restore %r7
	.cfi_restore %r8
	.cfi_restore %r9
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size main, .-main

	.type f, @function
f:	.cfi_startproc
	stg %r9, 72(%r15)
	{rule}
	stmg %r14, %r15, 112(%r15)
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lghi %r9, 0x7777
	brasl %r14, thrower
	j .
	.cfi_endproc
	.size f, .-f

	# What an unwinder does: it restores r9 from where the rule of f has it.
	.type thrower, @function
thrower:	.cfi_startproc
	.cfi_undefined %r9
	{restore}
	lghi %r6, 1
	larl %r1, .Lpad
	aghi %r15, 160
	.cfi_def_cfa_offset 0
	br %r1
	.cfi_endproc
	.size thrower, .-thrower

	.globl __gxx_personality_v0
	.type __gxx_personality_v0, @function
__gxx_personality_v0:	.cfi_startproc
	br %r14
	.cfi_endproc
	.size __gxx_personality_v0, .-__gxx_personality_v0

	.section .gcc_except_table, "a", @progbits
	.balign 4
area:	.byte 0xff, 0xff, 0x01
	.uleb128 .Lend-.Lsites
.Lsites:
	.uleb128 .Lfrom-main, .Lto-.Lfrom, .Lpad-main, 0
.Lend:
