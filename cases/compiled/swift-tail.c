/* clang: a function that pops its arguments ends by a tail call of one that pops none. */
long sink;
__attribute__((noinline)) void plain(long a) { sink = a; }
__attribute__((noinline, swiftasynccall))
void pops(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j) { plain(i); }
__attribute__((noinline)) int test(void)
{
    char *frame = __builtin_alloca(sink + 16), *before, *after;
    asm volatile ("mov %0, sp" : "=r"(before) : "r"(frame));
    pops(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    asm volatile ("mov %0, sp" : "=r"(after));
    return before != after;
}
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
