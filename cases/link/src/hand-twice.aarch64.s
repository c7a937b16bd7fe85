// hand() and hand_too(), and a .sframe section of two concatenated tables, as -r writes it if it does not merge.
	.macro function name
	.section .text.\name,"ax",%progbits
	.globl \name
	.type \name, %function
\name:
	.cfi_startproc
	mov w0, #1
	ret
	.cfi_endproc
	.size \name, .-\name
	.endm

	.macro table name, size
	.balign 8
	.hword 0xdee2
	.byte SFRAME_VERSION
	.byte 4 * SFRAME_PCREL
	.ifdef BIG_ENDIAN
	.byte 1
	.else
	.byte 2
	.endif
	.byte 0, 0, 0
	.word 1, 1, .Lrows_end\@ - .Lrows\@, 0, .Lrows\@ - .Ltable\@
.Ltable\@:
	.if SFRAME_VERSION == 3
	.xword \name - .
	.word \size, 0
	.else
	.word \name - .
	.word \size, 0, 1
	.byte 0
	.if SFRAME_VERSION == 2
	.byte 0
	.hword 0
	.endif
	.endif
.Lrows\@:
	.if SFRAME_VERSION == 3
	.hword 1
	.byte 0, 0, 0
	.endif
	.byte 0, 3, 0
.Lrows_end\@:
	.endm

	function hand
	function hand_too

	.ifndef CONTROL
	.if SFRAME_PCREL
	.section .sframe,"a",%0x6ffffff4
	.else
	.section .sframe,"a",%progbits
	.endif
	table hand, 8
	table hand_too, 8
	.endif

	.section .note.GNU-stack,"",%progbits
