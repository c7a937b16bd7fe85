# The program: fills the slots of chosen functions as a C library's start does, then exits with one() + two(). No call frame information.
	.text
	.globl _start
	.type _start, @function
_start:
	aghi %r15, -160
	lghi %r11, 0
	larl %r12, __rela_iplt_start
	larl %r13, __rela_iplt_end
1:	clgr %r12, %r13
	jnl 2f
	lg %r1, 16(%r12)
	basr %r14, %r1
	lg %r1, 0(%r12)
	stg %r2, 0(%r1)
	aghi %r12, 24
	j 1b
2:	brasl %r14, one
	lgr %r12, %r2
	brasl %r14, two
	agr %r2, %r12
	svc 1
	.size _start, .-_start

	.section .note.GNU-stack,"",@progbits
