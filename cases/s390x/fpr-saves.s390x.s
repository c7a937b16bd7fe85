# A leaf parks FP and RA in two floating point registers, the second of them not f0; another saves call-saved
# floating point registers to its frame, which SFrame does not track.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 4
	brasl %r14, saves_fprs
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type saves_fprs, @function
saves_fprs:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -176
	.cfi_def_cfa_offset 336
	std %f8, 160(%r15)
	.cfi_offset %f8, -176
	std %f10, 168(%r15)
	.cfi_offset %f10, -168
	ldgr %f8, %r2
	brasl %r14, parks_both
	brasl %r14, leaf
	lgdr %r1, %f8
	agr %r2, %r1
	ld %f10, 168(%r15)
	.cfi_restore %f10
	ld %f8, 160(%r15)
	.cfi_restore %f8
	aghi %r15, 176
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size saves_fprs, .-saves_fprs

	.type parks_both, @function
parks_both:
	.cfi_startproc
	ldgr %f0, %r11
	.cfi_register %r11, %f0
	ldgr %f2, %r14 # DWARF register 17
	.cfi_register %r14, %f2
	lghi %r11, 8
	lghi %r14, 16
	agr %r2, %r11
	agr %r2, %r14
	lgdr %r14, %f2
	.cfi_restore %r14
	lgdr %r11, %f0
	.cfi_restore %r11
	br %r14
	.cfi_endproc
	.size parks_both, .-parks_both

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, 5
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
