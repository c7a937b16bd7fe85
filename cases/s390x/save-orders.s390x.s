# RA and FP are saved one after the other in both orders and restored in both: FP alone needs the filler word in RA's
# place.
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
	brasl %r14, outer
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type outer, @function
outer:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	brasl %r14, ra_first
	brasl %r14, fp_first
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size outer, .-outer

	.type ra_first, @function
ra_first:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	lghi %r14, 0
	stg %r11, 88(%r15)
	.cfi_offset %r11, -72
	lghi %r11, 2
	agr %r2, %r11
	lg %r14, 112(%r15)
	.cfi_restore %r14
	lghi %r1, 0
	lg %r11, 88(%r15)
	.cfi_restore %r11
	br %r14
	.cfi_endproc
	.size ra_first, .-ra_first

	.type fp_first, @function
fp_first:
	.cfi_startproc
	stg %r11, 88(%r15)
	.cfi_offset %r11, -72
	lghi %r11, 2
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	lghi %r14, 0
	agr %r2, %r11
	lg %r11, 88(%r15)
	.cfi_restore %r11
	lghi %r1, 0
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size fp_first, .-fp_first

	.section .note.GNU-stack,"",@progbits
