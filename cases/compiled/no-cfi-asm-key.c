/* gcc: the augmentation of its own .eh_frame has no B for return addresses signed with key B. */
__attribute__((noipa)) int leaf(int a) { return a; }
__attribute__((noipa)) int test(void) { return leaf(3) - 3; }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
