/* clang: the loads of an epilogue stand in a section that begins as if there were no frame. */
__attribute__((noinline)) int last(int a, int b, int c, int d, int e, int f, int g, int h, int i) { return a + i; }
__attribute__((noinline)) int turn(int x)
{
    if (x & 2) {
        if (x & 8)
            return x + 2;
        asm goto ("" : : : : next);
        next: x ^= 6;
    }
    return last(x, 1, 2, 3, 4, 5, 6, 7, x);
}
__attribute__((noinline)) int test(void) { return turn(2) + turn(10) + turn(0) - 20; }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
