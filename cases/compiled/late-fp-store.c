/* clang: the store of x29 becomes one with a later store, far after `.cfi_offset w29`. */
__attribute__((noinline)) int use(int a, ...) { asm volatile (""); return a; }
__attribute__((noinline)) int sum(int n, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, n);
    int s = 0;
    while (n--)
        s += __builtin_va_arg(list, int) + use(0);
    return s;
}
__attribute__((noinline)) int test(void) { return sum(3, 1, 2, 4) - 7; }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
