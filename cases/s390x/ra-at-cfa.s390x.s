# The return address is saved at the CFA itself, in the argument area of the caller: word 0 of a default row means
# not saved, but a flexible row can say it.
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
	brasl %r14, before
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type before, @function
before:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -176
	.cfi_def_cfa_offset 336
	brasl %r14, ra_at_cfa # its argument area is at 160(%r15)
	brasl %r14, after
	aghi %r15, 176
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size before, .-before

	.type ra_at_cfa, @function
ra_at_cfa:
	.cfi_startproc
	stg %r14, 160(%r15)
	.cfi_offset %r14, 0
	lghi %r14, 4
	agr %r2, %r14
	lg %r14, 160(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size ra_at_cfa, .-ra_at_cfa

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
