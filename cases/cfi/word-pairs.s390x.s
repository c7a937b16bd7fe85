# Offsets on both sides of each width of a row's words: of the CFA, FP and the return address, each with each other. None is executed.
	.text
	.set count, 0
	.macro words cfa, fp, ra, number
	.type words_\number, @function
words_\number:
	.cfi_startproc
	nopr
	.cfi_def_cfa_offset \cfa
	nopr
	.cfi_offset %r14, \ra
	nopr
	.cfi_offset %r11, \fp
	nopr
	.cfi_def_cfa_register %r11
	nopr
	.cfi_restore %r11
	.cfi_def_cfa %r15, \cfa
	nopr
	.cfi_endproc
	.size words_\number, .-words_\number
	.endm
	.altmacro
	.macro numbered cfa, fp, ra, number
	words \cfa, \fp, \ra, \number
	.endm
	.irp cfa, 160, 1176, 1184, 1192, 262296, 262304, 400000
	.irp fp, -72, -512, -1016, -1040, -262136, -262160
	.irp ra, -48, -128, -520, -1024, -1032, -262144, -262152
	numbered \cfa, \fp, \ra, %count
	.set count, count + 1
	.endr
	.endr
	.endr
	.type rows, @function
rows:
	.cfi_startproc
	.rept 350
	nopr
	.cfi_adjust_cfa_offset 8
	nopr
	.cfi_adjust_cfa_offset 8
	.endr
	nopr
	.cfi_endproc
	.size rows, .-rows
	.section .note.GNU-stack,"",@progbits
