# Calls through a register and through a table of addresses in memory.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 6
	brasl %r14, call_all
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type call_all, @function
call_all:
	.cfi_startproc
	stmg %r12, %r15, 96(%r15)
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	larl %r12, table
1:	ltg %r1, 0(%r12)
	je 2f
	basr %r14, %r1
	lg %r14, 0(%r12) # the link register itself may hold the target
	basr %r14, %r14
	aghi %r12, 8
	j 1b
2:	aghi %r2, 21
	lmg %r12, %r15, 256(%r15)
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size call_all, .-call_all

	.type add_one, @function
add_one:
	.cfi_startproc
	aghi %r2, 1
	br %r14
	.cfi_endproc
	.size add_one, .-add_one

	.type double, @function
double:
	.cfi_startproc
	agr %r2, %r2
	br %r14
	.cfi_endproc
	.size double, .-double

	.data
	.align 8
table:
	.quad add_one
	.quad double
	.quad 0

	.section .note.GNU-stack,"",@progbits
