# use_plt() calls one() and two() the way code of a shared object calls what another file may override.
	.text
	.globl use_plt
	.type use_plt, @function
use_plt:
	.cfi_startproc
	stmg %r12, %r15, 96(%r15)
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	brasl %r14, one@plt
	lgr %r12, %r2
	brasl %r14, two@plt
	agr %r2, %r12
	lmg %r12, %r15, 256(%r15)
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size use_plt, .-use_plt

	.section .note.GNU-stack,"",@progbits
