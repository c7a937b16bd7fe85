# What a function descriptor tells: signal frame, key, kind of rows, and functions on both sides of each width of row starts, each with each. None is executed.
	.text
	.macro no_signal
	.endm
	.macro signal
	.cfi_signal_frame
	.endm
	.macro no_key
	.endm
	.macro on_sp
	.cfi_def_cfa %r15, 176
	.endm
	.macro on_register
	.cfi_def_cfa %r1, 176
	.endm
	.macro function signal, key, kind, size
	.type \signal\()__\key\()__\kind\()__\size, @function
\signal\()__\key\()__\kind\()__\size:
	.cfi_startproc
	\signal
	\key
	nopr
	\kind
	.skip \size - 4
	.cfi_def_cfa %r15, 160
	nopr
	.cfi_endproc
	.size \signal\()__\key\()__\kind\()__\size, .-\signal\()__\key\()__\kind\()__\size
	.endm
	.irp signal, no_signal, signal
	.irp key, no_key
	.irp kind, on_sp, on_register
	.irp size, 248, 252, 256, 260, 65528, 65532, 65536, 65540
	function \signal, \key, \kind, \size
	.endr
	.endr
	.endr
	.endr
	.section .note.GNU-stack,"",@progbits
