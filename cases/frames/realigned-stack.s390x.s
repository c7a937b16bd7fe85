# The stack pointer is rounded down to 64 bytes; on AMD64 also with the argument pointer that GCC uses, whose
# CFA is in r10 and then in memory.
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
	brasl %r14, realigned
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type realigned, @function
realigned:
	.cfi_startproc
	stmg %r11, %r15, 88(%r15)
	.cfi_offset %r11, -72
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	lgr %r11, %r15
	.cfi_def_cfa_register %r11
	aghi %r15, -288
	nill %r15, 0xffc0
	brasl %r14, leaf
	stg %r2, 192(%r15)
	lgr %r1, %r15
	nilf %r1, 63 # 0
	ag %r1, 192(%r15)
	lgr %r2, %r1
	lmg %r11, %r15, 88(%r11)
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa %r15, 160
	br %r14
	.cfi_endproc
	.size realigned, .-realigned

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, 17
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
