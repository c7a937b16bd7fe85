# .cfi_label gives a name to a place in .eh_frame; it says nothing of the frame.
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
	stg %r10, 80(%r15)
	.cfi_offset %r10, -80
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lgr %r10, %r2
	.cfi_label here
	brasl %r14, leaf
	agr %r2, %r10
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	lg %r10, 80(%r15)
	.cfi_restore %r10
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size outer, .-outer

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, 4
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
