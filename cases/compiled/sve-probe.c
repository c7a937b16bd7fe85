/* clang: `.cfi_def_cfa_register` after the loop that probes a frame with vectors, while the CFA is an expression. */
asm (".arch armv8.2-a+sve");
__attribute__((noinline)) int leaf(int a, char *p) { *(volatile char *)p = a; return a; }
__attribute__((noinline)) int framed(int a)
{
    char w[9000];
    __SVInt32_t v;
    asm volatile ("dup %0.s, #1" : "=w" (v));
    a = leaf(a, w);
    asm volatile ("" : : "w" (v));
    return a;
}
__attribute__((noinline)) int test(void) { return framed(0); }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
