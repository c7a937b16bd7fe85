# .cfi_rel_offset counts from the register that the CFA counts from: from SP after adjustments, then from FP.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 7
	brasl %r14, outer
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type outer, @function
outer:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_rel_offset %r14, 112
	stg %r11, 88(%r15)
	.cfi_rel_offset %r11, 88
	aghi %r15, -176
	.cfi_adjust_cfa_offset 176
	stg %r11, 160(%r15)
	.cfi_rel_offset %r11, 160
	xc 264(8,%r15), 264(%r15) # the first copy is no more
	la %r11, 8(%r15)
	.cfi_def_cfa %r11, 328
	stg %r14, 160(%r11)
	.cfi_rel_offset %r14, 160 # from FP now
	xc 288(8,%r15), 288(%r15)
	stg %r2, 264(%r15)
	brasl %r14, leaf
	ag %r2, 264(%r15)
	lg %r14, 160(%r11)
	.cfi_restore %r14
	lg %r11, 152(%r11)
	.cfi_def_cfa %r15, 336
	.cfi_restore %r11
	aghi %r15, 176
	.cfi_adjust_cfa_offset -176
	br %r14
	.cfi_endproc
	.size outer, .-outer

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, 9
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
