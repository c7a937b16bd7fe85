hand:
	nop
.Lend:
	.section .sframe,"a",@0x6ffffff4
	.short 0xdee2
	.byte SFRAME_VERSION
	.byte 4 * SFRAME_PCREL
	.byte 3
	.byte FIXED_FP, -8, 0
	.long 1, 1, .Lrows_end - .Lrows, 0, .Lrows - .Ltable
.Ltable:
	.if SFRAME_VERSION == 3
	.quad hand - .
	.long .Lend - hand, 0
	.else
	.long hand - .
	.long .Lend - hand, 0, 1
	.byte 0
	.if SFRAME_VERSION == 2
	.byte 0
	.short 0
	.endif
	.endif
.Lrows:
	.if SFRAME_VERSION == 3
	.short 1
	.byte 0, 0, 0
	.endif
	.byte 0, 3, 8
.Lrows_end:
