# Frames of 40,000 and 300,000 bytes: CFA and save offsets need two and four bytes.
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
	brasl %r14, frame_40k
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type frame_40k, @function
frame_40k:
	.cfi_startproc
	stmg %r14, %r15, 112(%r15)
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	agfi %r15, -40000
	.cfi_def_cfa_offset 40160
	stg %r2, 160(%r15)
	brasl %r14, frame_300k
	ag %r2, 160(%r15)
	agfi %r15, 40000
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size frame_40k, .-frame_40k

	.type frame_300k, @function
frame_300k:
	.cfi_startproc
	agfi %r15, -300000
	.cfi_def_cfa_offset 300160
	stg %r14, 160(%r15) # RA 300,000 bytes below the CFA
	.cfi_offset %r14, -300000
	stg %r11, 168(%r15)
	.cfi_offset %r11, -299992
	lgr %r11, %r2
	brasl %r14, leaf
	agr %r2, %r11
	lg %r11, 168(%r15)
	.cfi_restore %r11
	lg %r14, 160(%r15)
	.cfi_restore %r14
	agfi %r15, 300000
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size frame_300k, .-frame_300k

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, -2
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
