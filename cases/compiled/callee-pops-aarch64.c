/* clang: after the call of a function that pops its arguments SP is 16 bytes higher. */
long sink;
__attribute__((noinline, swiftasynccall))
void pops(long a, long b, long c, long d, long e, long f, long g, long h, long i) { sink = i; }
__attribute__((noinline)) int test(void) { pops(1, 2, 3, 4, 5, 6, 7, 8, 9); sink++; return sink - 10; }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
