/* clang: the store of x30 that makes the frame becomes one with a later store, and its CFI stays before that. */
__attribute__((noinline)) void use(void *address) { asm volatile ("" :: "r" (address) : "memory"); }
__attribute__((noinline)) long pattern(void)
{
    char local[8];
    __builtin_memset(local, 0xaa, sizeof local);
    use(local);
    return 0;
}
__attribute__((noinline)) long loaded(const long *from)
{
    long local = *from * 3;
    use(&local);
    return local;
}
__attribute__((noinline)) int test(void)
{
    long three = 3;
    use(&three);
    return (int)(pattern() + loaded(&three)) - 9;
}
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
