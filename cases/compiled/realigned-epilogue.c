/* clang: the CFA is read by rbp, and its slot is below rsp, until the last instruction of the epilogue. */
__attribute__((noinline)) void leaf(void *p) { *(volatile char *)p = 0; }
__attribute__((noinline)) int realigned(int size)
{
    char v[64] __attribute__((aligned(64)));
    asm volatile ("" ::: "rbx", "r12");
    leaf(v);
    leaf(__builtin_alloca(size));
    return v[0];
}
__attribute__((noinline)) int test(void) { return realigned(40); }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
