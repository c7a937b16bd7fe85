/* clang: x30 is held in another register around the call of an outlined function. */
#define SUM a + b * 3 + c * 5 + d * 7 + e * 9 + f * 11 + g * 13
__attribute__((noinline)) int ten(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) { return SUM + h * 15 + i * 17 + j * 19; }
__attribute__((noinline)) int seven(int a, int b, int c, int d, int e, int f, int g) { return SUM; }
__attribute__((noinline)) int test(void) { return ten(0, 0, 0, 0, 0, 0, 0, 0, 0, 0) + seven(0, 0, 0, 0, 0, 0, 0); }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
