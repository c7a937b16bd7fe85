# Functions leave by a jump to another function, with and without a frame of their own to take down first.
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
	brasl %r14, first
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type first, @function
first:
	.cfi_startproc
	aghi %r2, 1
	jg second
	.cfi_endproc
	.size first, .-first

	.type second, @function
second:
	.cfi_startproc
	stmg %r11, %r15, 88(%r15)
	.cfi_offset %r11, -72
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lgr %r11, %r2
	brasl %r14, leaf
	agr %r2, %r11
	lmg %r11, %r15, 248(%r15)
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	cghi %r2, 100
	jgne third # a conditional tail call
	br %r14
	.cfi_endproc
	.size second, .-second

	.type third, @function
third:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -168
	.cfi_def_cfa_offset 328
	stg %r2, 160(%r15)
	brasl %r14, leaf
	ag %r2, 160(%r15)
	aghi %r15, 168
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	larl %r1, leaf
	br %r1
	.cfi_endproc
	.size third, .-third

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, 5
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
