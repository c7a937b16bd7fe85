/* clang: masks of the loaded registers stand between the instruction that removes the frame and its directives. */
__attribute__((noinline)) int leaf(int a) { asm volatile (""); return a; }
__attribute__((noinline)) int framed(int a) { return leaf(a) + leaf(a + 1); }
__attribute__((noinline)) int test(void) { return framed(1) - 3; }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
