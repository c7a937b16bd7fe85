# A computed goto is no call although the link register has the next address when it jumps: it
# stays in its function with the same SP, and writes no link register. Interpreters of bytecode
# jump so where the compiler uses the link register for something else.
# check: execute
# link:
# expect: clean, exited 5
	.text
	.globl _start
	.type _start,@function
_start:	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15,-160
	brasl %r14,test
	lghi %r1,1
	svc 0
	.cfi_endproc
	.size _start,.-_start
	.type test,@function
test:	.cfi_startproc
	stmg %r11,%r15,88(%r15)
	.cfi_rel_offset %r11,88
	.cfi_rel_offset %r14,112
	.cfi_rel_offset %r15,120
	aghi %r15,-160
	.cfi_adjust_cfa_offset 160
	lghi %r11,0
	larl %r14,.L2
	br %r14
.Ldispatch:
	br %r1
.L2:	aghi %r11,1
	larl %r1,.L3
	cgijh %r11,1,.Lend
	j .Ldispatch
.L3:	larl %r14,.L4
	exrl %r0,.Ljump
.L4:	nopr
	larl %r5,.L2
	br %r5
.Lend:	lghi %r2,5
	lmg %r11,%r15,248(%r15)
	.cfi_restore %r11
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_adjust_cfa_offset -160
	br %r14
.Ljump:	br %r14
	.cfi_endproc
	.size test,.-test
	.section .note.GNU-stack,"",@progbits
