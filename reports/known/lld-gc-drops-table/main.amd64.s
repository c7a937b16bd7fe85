	.globl _start
_start:
	call one
