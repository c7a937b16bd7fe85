# Executed code shows the place of each register that a call preserves: slots in the caller's save
# area, which stay valid after the frame was popped, and floating-point registers.
# check: execute
# link:
#
# case: right
# with r6: -112
# with r7: -104
# with f8: -168
# with restore: .cfi_restore %r6
# expect: clean, exited 0
#
# case: r6 and r7 swapped
# with r6: -104
# with r7: -112
# with f8: -168
# with restore: .cfi_restore %r6
# expect: error, exited 0
# expect: error eh-frame/register-matches-truth at 0x10000a2..0x10000c0
#
# case: f8 one slot too low
# with r6: -112
# with r7: -104
# with f8: -176
# with restore: .cfi_restore %r6
# expect: error, exited 0
# expect: error eh-frame/register-matches-truth at 0x10000aa..0x10000ba
#
# case: the rule of r6 stays after its restore
# with r6: -112
# with r7: -104
# with f8: -168
# with restore:
# expect: clean, exited 0
	.globl _start
	.type _start, @function
_start:	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	lghi %r6, 0x1111
	lghi %r7, 0x2222
	lghi %r1, 0x3333
	ldgr %f8, %r1
	brasl %r14, f
	lghi %r2, 0
	lghi %r1, 1
	svc 0
	.cfi_endproc
	.size _start, .-_start
	.type f, @function
f:	.cfi_startproc
	stmg %r6, %r15, 48(%r15)
	.cfi_offset %r6, {r6}
	.cfi_offset %r7, {r7}
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -168
	.cfi_def_cfa_offset 328
	std %f8, 160(%r15)
	.cfi_offset %f8, {f8}
	lghi %r6, 1
	lghi %r7, 2
	ldgr %f8, %r7
	ld %f8, 160(%r15)
	.cfi_restore %f8
	lmg %r6, %r15, 216(%r15)
	.cfi_restore %r15
	.cfi_restore %r14
	.cfi_restore %r7
	{restore}
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size f, .-f
