# FP is saved and used as a plain register while the return address stays where the call left it, or is saved
# later.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 3
	brasl %r14, leaf_uses_fp
	brasl %r14, fp_then_ra
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type leaf_uses_fp, @function
leaf_uses_fp:
	.cfi_startproc
	stg %r11, 88(%r15)
	.cfi_offset %r11, -72
	la %r11, 4(%r2) # FP as a plain register
	agr %r2, %r11
	lg %r11, 88(%r15)
	.cfi_restore %r11
	br %r14
	.cfi_endproc
	.size leaf_uses_fp, .-leaf_uses_fp

	.type fp_then_ra, @function
fp_then_ra:
	.cfi_startproc
	stg %r11, 88(%r15)
	.cfi_offset %r11, -72
	la %r11, 5(%r2)
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	brasl %r14, leaf
	agr %r2, %r11
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	lg %r11, 88(%r15)
	.cfi_restore %r11
	br %r14
	.cfi_endproc
	.size fp_then_ra, .-fp_then_ra

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, 1
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
