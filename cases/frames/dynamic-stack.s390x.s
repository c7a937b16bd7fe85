# The stack grows by an amount known only at run time, so the CFA must be found through FP.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 100
	brasl %r14, grow
	lgr %r7, %r2
	lghi %r2, 5000
	brasl %r14, grow
	agr %r2, %r7
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type grow, @function
grow:
	.cfi_startproc
	stmg %r11, %r15, 88(%r15)
	.cfi_offset %r11, -72
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lgr %r11, %r15
	.cfi_def_cfa_register %r11
	lgr %r3, %r2
	aghi %r2, 7
	nill %r2, 0xfff8
	sgr %r15, %r2
	la %r2, 160(%r15)
	brasl %r14, touch
	aghi %r15, -32 # once more, after a call
	stg %r2, 160(%r15)
	lg %r2, 160(%r15)
	lmg %r11, %r15, 248(%r11)
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa %r15, 160
	br %r14
	.cfi_endproc
	.size grow, .-grow

	.type touch, @function
touch:
	.cfi_startproc
	mvi 0(%r2), 1
	la %r1, 0(%r3,%r2)
	aghi %r1, -1
	mvi 0(%r1), 2
	lghi %r2, 20
	br %r14
	.cfi_endproc
	.size touch, .-touch

	.section .note.GNU-stack,"",@progbits
