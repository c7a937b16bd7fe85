/* gcc 14, -O2 -fstack-clash-protection -fstack-protector-strong: the CFA of a large probed frame does not count the registers
   pushed before it. */
__attribute__((noinline)) int leaf(int a, char *p) { *(volatile char *)p = a; return a; }
__attribute__((noinline)) int framed(int a)
{
    char w[1 << 20];
    return leaf(a, w) + w[a];
}
__attribute__((noinline)) int test(void) { return framed(0); }
void __stack_chk_fail(void) { for (;;) ; }
unsigned long __stack_chk_guard = 7;
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
