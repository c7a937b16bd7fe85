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
	.quad hand - .
	.long .Lend - hand, 0
.Lrows:
	.short 1
	.byte 0, 0, 0
	.byte 0, 3, 8
.Lrows_end:
