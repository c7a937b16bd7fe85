# A call to the next instruction, used to learn the program counter, makes no frame.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	brasl %r14, where_am_i
	larl %r1, where_am_i
	sgr %r2, %r1 # distance of label 1 from the start of the function
	brasl %r14, leaf
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type where_am_i, @function
where_am_i:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	basr %r1, %r0 # the old way: no branch at all
	brasl %r14, 1f
1:	lgr %r2, %r14
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size where_am_i, .-where_am_i

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, -5
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
