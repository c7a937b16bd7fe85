/* clang: the slot of the CFA is below rsp from the first instruction of the epilogue. */
__attribute__((noinline)) int leaf(int a) { asm volatile (""); return a; }
__attribute__((noinline)) int realigned(int a)
{
    int b = leaf(a), c = leaf(b + 1), d = leaf(c + 2);
    int v[(a & 31) + 1] __attribute__((aligned(64)));
    asm volatile ("" :: "r" (v) : "rbx", "r12", "r13", "r14", "r15");
    return b + c + d;
}
__attribute__((noinline)) int test(void) { return realigned(0) - 4; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
