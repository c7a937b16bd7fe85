/* clang: a part of two prologues is outlined, and no directive stands beside its call. */
#define KEEP(n) unsigned t##n = x * (2 * n + 3); asm volatile ("" : "+r" (t##n))
#define ALL KEEP(0); KEEP(1); KEEP(2); KEEP(3); KEEP(4); KEEP(5); KEEP(6); KEEP(7); KEEP(8); KEEP(9); KEEP(10)
#define SUM t0 ^ t1 ^ t2 ^ t3 ^ t4 ^ t5 ^ t6 ^ t7 ^ t8 ^ t9 ^ t10
__attribute__((noinline)) unsigned leaf(unsigned a) { return a + 1; }
__attribute__((noinline)) unsigned touch(volatile unsigned *p, unsigned a) { *p = a; return *p; }
__attribute__((noinline)) unsigned plain(unsigned x) { ALL; return leaf(x) ^ SUM; }
__attribute__((noinline)) unsigned large(unsigned x)
{
    ALL;
    unsigned v[1050];
    double d = (int)(x & 255);
    asm volatile ("" : "+w" (d));
    return (touch(v, x) ^ SUM) + (int)d;
}
__attribute__((noinline)) int test(void) { return plain(1) + large(1) == 0; }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
