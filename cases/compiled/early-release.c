/* clang: the frame of a converted value is released by the load of it; the directive stays before the return. */
typedef union { long double value; unsigned long words[2]; } wide;
__attribute__((noinline)) unsigned long mixed(long double a)
{
    wide x = {a};
    return (x.words[0] + 1) ^ (x.words[1] * 3);
}
__attribute__((noinline)) int test(void) { volatile long double a = 1; return (int) mixed(a) & 0; }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
