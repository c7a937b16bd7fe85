/* gas: the names of vector and predicate registers, and of the vector length, are no registers in directives. */
__attribute__((noipa)) int test(void) { return 0; }
asm (".text\nvectors:\n.cfi_startproc\nnop\n.cfi_restore z8\nret\n.cfi_endproc\n");
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
