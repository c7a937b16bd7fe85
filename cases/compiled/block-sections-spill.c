/* clang: x16 is pushed around a branch to another section, and the CFA stays. */
__attribute__((noinline)) int sum(int count, ...)
{
    int total = 0;
    __builtin_va_list list;
    __builtin_va_start(list, count);
    while (count--)
        total = total * 3 + __builtin_va_arg(list, int);
    return total;
}
__attribute__((noinline)) int test(void) { return sum(1, 0); }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
