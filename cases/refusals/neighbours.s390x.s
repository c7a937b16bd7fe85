# Two adjacent functions cannot be encoded, nor can the last of the file: the functions before, between and after
# them keep their own rows.
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
	brasl %r14, first
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type first, @function
first:
	.cfi_startproc
	stg %r11, 88(%r15)
	.cfi_offset %r11, -72
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lgr %r11, %r15
	aghi %r11, -16 # what the functions called say of it: CFA-176
	brasl %r14, refused_1
	brasl %r14, refused_2
	brasl %r14, second
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	lg %r11, 88(%r15)
	.cfi_restore %r11
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size first, .-first

	.type refused_1, @function
refused_1:
	.cfi_startproc
	.cfi_val_offset %r11, -176
	lghi %r11, 1
	agr %r2, %r11
	lgr %r11, %r15
	aghi %r11, -16
	.cfi_restore %r11
	br %r14
	.cfi_endproc
	.size refused_1, .-refused_1

	.type refused_2, @function
refused_2:
	.cfi_startproc
	.cfi_val_offset %r11, -176
	lghi %r11, 2
	agr %r2, %r11
	lgr %r11, %r15
	aghi %r11, -16
	.cfi_restore %r11
	br %r14
	.cfi_endproc
	.size refused_2, .-refused_2

	.type second, @function
second:
	.cfi_startproc
	stg %r11, 88(%r15)
	.cfi_offset %r11, -72
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lgr %r11, %r15
	aghi %r11, -16 # what the functions called say of it: CFA-176
	brasl %r14, refused_3
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	lg %r11, 88(%r15)
	.cfi_restore %r11
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size second, .-second

	.type refused_3, @function
refused_3:
	.cfi_startproc
	.cfi_val_offset %r11, -176
	lghi %r11, 3
	agr %r2, %r11
	lgr %r11, %r15
	aghi %r11, -16
	.cfi_restore %r11
	br %r14
	.cfi_endproc
	.size refused_3, .-refused_3

	.section .note.GNU-stack,"",@progbits
