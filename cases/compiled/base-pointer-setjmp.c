/* clang: the base pointer overwrites rbx, then is stored for __builtin_setjmp, then `.cfi_offset %rbx` follows. */
static void *place[5];
__attribute__((noinline)) void use(void *address) { asm volatile ("" :: "r" (address) : "memory"); }
__attribute__((noinline)) int frame(int size)
{
    int aligned __attribute__((aligned(64))) = size;
    char array[size];
    use(array);
    if (__builtin_setjmp(place))
        return aligned;
    use(&aligned);
    return 0;
}
__attribute__((noinline)) int test(void) { return frame(40); }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
