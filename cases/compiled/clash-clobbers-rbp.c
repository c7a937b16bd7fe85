/* clang with stack clash protection: the 8 bytes below the rbp that is saved around the asm are not allocated; the CFA counts them. */
__attribute__((noinline)) void use(char *p) { *(volatile char *)p = 0; }
__attribute__((noinline)) int f(unsigned size)
{
    asm volatile ("" : "+r" (size) : : "rbp");
    char v[size];
    use(v);
    return v[0];
}
__attribute__((noinline)) int test(void) { return f(40); }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
