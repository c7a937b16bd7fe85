# Rows start after jumps whose length, and after padding whose size, is known only when the whole section is laid
# out; the function grows past 255 bytes by it.
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
	brasl %r14, hops
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type hops, @function
hops:
	.cfi_startproc
	stg %r11, 88(%r15)
	.cfi_offset %r11, -72
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	lgr %r11, %r2
	j 2f
	.p2align 5
1:	.cfi_def_cfa_offset 320
	lgr %r2, %r11
	aghi %r2, 1
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	lg %r11, 88(%r15)
	.cfi_restore %r11
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.skip 90
	.p2align 4
2:	.cfi_offset %r11, -72
	.cfi_offset %r14, -48
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	brasl %r14, leaf
	lgr %r11, %r2
	.p2align 4
	j 1b
	.skip 40
	.cfi_endproc
	.size hops, .-hops

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, 4
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
