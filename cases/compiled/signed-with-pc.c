/* clang: the return address is no longer signed after `autiasp`, and no directive says so. */
__attribute__((noinline)) int leaf(int a) { asm volatile (""); return a; }
__attribute__((noinline)) int test(void) { return leaf(0) + leaf(0); }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
