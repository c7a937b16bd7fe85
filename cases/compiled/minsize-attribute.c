/* clang: no CFI of the steps of an epilogue in a function with the attribute minsize. */
__attribute__((noinline)) int leaf(int a) { return a; }
__attribute__((noinline, minsize)) int small(int a) { volatile int v = a; return leaf(v) + a; }
__attribute__((noinline)) int test(void) { return small(3) - 6; }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
