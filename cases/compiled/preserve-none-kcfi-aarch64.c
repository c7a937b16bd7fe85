/* clang: the check of a musttail call's type uses x9, which holds an argument. */
#define EIGHT(n) long n##0, long n##1, long n##2, long n##3, long n##4, long n##5, long n##6, long n##7
#define SAME(n) n##0, n##1, n##2, n##3, n##4, n##5, n##6, n##7
typedef __attribute__((preserve_none)) long called(EIGHT(a), EIGHT(b), EIGHT(c));
__attribute__((noinline, preserve_none)) long last(EIGHT(a), EIGHT(b), EIGHT(c)) { return c6 - c7; }
called *volatile pointer = last;
__attribute__((noinline, preserve_none)) long pass(EIGHT(a), EIGHT(b), EIGHT(c))
{
    __attribute__((musttail)) return pointer(SAME(a), SAME(b), SAME(c));
}
volatile int zero;
__attribute__((noinline)) int test(void)
{
    int z = zero;
    return pass(z, z, z, z, z, z, z, z, z, z, z, z, z, z, z, z, z, z, z, z, z, z, z + 8, z + 9) + 1;
}
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
