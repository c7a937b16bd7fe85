# Registers that a call preserves are saved, floating-point ones among them, in an order of their own,
# and restored on two ways out.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r6, 1
	lghi %r7, 2
	lghi %r8, 3
	lghi %r9, 4
	lghi %r12, 5
	ldgr %f8, %r9
	ldgr %f9, %r12
	lghi %r2, 1
	brasl %r14, save
	lghi %r2, 0
	brasl %r14, save
	lgr %r2, %r6
	agr %r2, %r7
	agr %r2, %r8
	agr %r2, %r9
	agr %r2, %r12
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type save, @function
save:
	.cfi_startproc
	stmg %r14, %r15, 112(%r15)
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	stg %r12, 96(%r15)
	.cfi_offset %r12, -64
	stmg %r6, %r9, 48(%r15)
	.cfi_offset %r6, -112
	.cfi_offset %r7, -104
	.cfi_offset %r8, -96
	.cfi_offset %r9, -88
	aghi %r15, -176
	.cfi_def_cfa_offset 336
	std %f9, 160(%r15)
	.cfi_offset 28, -176
	std %f8, 168(%r15)
	.cfi_offset 24, -168
	lghi %r6, 100
	lghi %r7, 101
	lghi %r8, 102
	lghi %r9, 103
	lghi %r12, 104
	ldgr %f8, %r6
	ldgr %f9, %r7
	brasl %r14, touch
	ltgr %r2, %r2
	je 1f
	.cfi_remember_state
	ld %f8, 168(%r15)
	.cfi_restore 24
	ld %f9, 160(%r15)
	.cfi_restore 28
	lg %r12, 272(%r15)
	.cfi_restore %r12
	lmg %r6, %r9, 224(%r15)
	.cfi_restore %r6
	.cfi_restore %r7
	.cfi_restore %r8
	.cfi_restore %r9
	lmg %r14, %r15, 288(%r15)
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
1:	.cfi_restore_state
	brasl %r14, touch
	lmg %r6, %r9, 224(%r15)
	.cfi_restore %r6
	.cfi_restore %r7
	.cfi_restore %r8
	.cfi_restore %r9
	ld %f9, 160(%r15)
	.cfi_restore 28
	lg %r12, 272(%r15)
	.cfi_restore %r12
	ld %f8, 168(%r15)
	.cfi_restore 24
	lmg %r14, %r15, 288(%r15)
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size save, .-save

	.type touch, @function
touch:
	.cfi_startproc
	br %r14
	.cfi_endproc
	.size touch, .-touch

	.section .note.GNU-stack,"",@progbits
