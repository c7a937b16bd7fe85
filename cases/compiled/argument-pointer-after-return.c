/* clang: `.cfi_def_cfa %r10, 0` in blocks after the return of a realigned function with an argument pointer: r10 is overwritten. */
__attribute__((noinline)) int use(int *address, int size)
{
    asm volatile ("" :: "r" (address) : "memory", "r10");
    asm volatile ("mov $1, %%r10d" ::: "r10");
    return size;
}
__attribute__((noinline)) int rarely(int n, int b, int c, int d, int e, int f, int seventh)
{
    int aligned[8] __attribute__((aligned(64)));
    int array[n];
    aligned[1] = seventh;
    use(array, n);
    asm volatile ("" ::: "rbx");
    if (__builtin_expect(use(aligned, aligned[1]), 0)) {
        use(array, 1);
        if (use(aligned, seventh) == 3)
            __builtin_trap();
        use(aligned, 2);
    }
    return seventh + aligned[1];
}
__attribute__((noinline)) int test(void) { return rarely(8, 1, 2, 3, 4, 5, 6) - 12; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
