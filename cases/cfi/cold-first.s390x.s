# The cold part of a function comes first of all in the file and takes the frame down: .cfi_restore means the rule of
# a fresh call, not the one the cold part began with.
	.section .text.unlikely,"ax",@progbits
	.type hot.cold, @function
hot.cold:
	.cfi_startproc
	.cfi_def_cfa_offset 320
	.cfi_offset %r11, -72
	.cfi_offset %r14, -48
	aghi %r2, 10
	lg %r11, 248(%r15)
	.cfi_restore %r11
	lg %r14, 272(%r15)
	.cfi_restore %r14
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	xc 88(32,%r15), 88(%r15) # the slots are dead
	br %r14
	.cfi_endproc
	.size hot.cold, .-hot.cold

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
	brasl %r14, hot
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type hot, @function
hot:
	.cfi_startproc
	stg %r11, 88(%r15)
	.cfi_offset %r11, -72
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lgr %r11, %r2
	jg hot.cold
	.cfi_endproc
	.size hot, .-hot

	.section .note.GNU-stack,"",@progbits
