# A signal frame needs a flexible row: one FDE has both marks.
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
	brasl %r14, marked
	nopr
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size outer, .-outer

	.type marked, @function
marked:
	.cfi_startproc
	.cfi_signal_frame
	la %r1, 160(%r15)
	.cfi_def_cfa %r1, 0
	aghi %r2, 5
	.cfi_def_cfa %r15, 160
	br %r14
	.cfi_endproc
	.size marked, .-marked

	.type after, @function
after:
	.cfi_startproc
	aghi %r15, -200
	.cfi_def_cfa_offset 360
	aghi %r2, 3
	aghi %r15, 200
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size after, .-after

	.section .note.GNU-stack,"",@progbits
