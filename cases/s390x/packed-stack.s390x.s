# The register save area is packed towards the CFA, as -mpacked-stack lays it out, so frames are smaller than
# 160 bytes.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 9
	brasl %r14, packed
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type packed, @function
packed:
	.cfi_startproc
	stmg %r12, %r15, 128(%r15)
	.cfi_offset %r12, -32
	.cfi_offset %r13, -24
	.cfi_offset %r14, -16
	.cfi_offset %r15, -8
	aghi %r15, -32
	.cfi_def_cfa_offset 192
	lgr %r12, %r2
	brasl %r14, packed_fp
	agr %r2, %r12
	lmg %r12, %r15, 160(%r15)
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size packed, .-packed

	.type packed_fp, @function
packed_fp:
	.cfi_startproc
	stmg %r11, %r15, 120(%r15)
	.cfi_offset %r11, -40
	.cfi_offset %r12, -32
	.cfi_offset %r13, -24
	.cfi_offset %r14, -16
	.cfi_offset %r15, -8
	aghi %r15, -48
	.cfi_def_cfa_offset 208
	lgr %r11, %r15
	.cfi_def_cfa_register %r11
	stg %r2, 160(%r11)
	brasl %r14, leaf
	ag %r2, 160(%r11)
	lmg %r11, %r15, 168(%r11)
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa %r15, 160
	br %r14
	.cfi_endproc
	.size packed_fp, .-packed_fp

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, 4
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
