/* clang: a callee that pops its arguments, entered by a tail call of a function that has none. */
long sink;
__attribute__((noinline)) void plain(long a) { sink = a; }
__attribute__((noinline, swiftasynccall))
void pops(long a, long b, long c, long d, long e, long f, long g, long h, long i) { plain(i); sink++; }
__attribute__((noinline, swiftasynccall)) void none(long a) { pops(a, 2, 3, 4, 5, 6, 7, 8, 9); }
__attribute__((noinline)) int test(void) { none(1); sink++; return sink - 11; }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
