/* clang: saves and loads of registers are in functions of their own, whose calls have no directives. */
volatile int sink;
__attribute__((noinline)) int leaf(int a) { sink = a; return a; }
__attribute__((noinline)) int one(int a, int b, int c) { int d = leaf(a) + leaf(b); return leaf(c) + leaf(d) * a + b * c; }
__attribute__((noinline)) int two(int a, int b, int c) { int d = leaf(a) * leaf(b); return leaf(c) - leaf(d) * a - b * c; }
__attribute__((noinline)) int test(void) { sink = one(1, 2, 3) + two(1, 2, 3); return 0; }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
