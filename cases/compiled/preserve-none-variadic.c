/* clang: va_arg reads the argument registers of C, the caller used those of preserve_none. */
__attribute__((noinline, preserve_none)) int second(int count, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, count);
    int first = __builtin_va_arg(list, int), got = __builtin_va_arg(list, int);
    __builtin_va_end(list);
    return first - count + got;
}
__attribute__((noinline)) int test(void) { return second(3, 10, 20) - 27; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
