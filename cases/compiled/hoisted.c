/* clang: the first instruction of the epilogues of three tail calls moves before the tests; the directives stay. */
__attribute__((noinline)) long leaf(long a) { asm volatile (""); return a; }
__attribute__((noinline)) long next(long a) { asm volatile (""); return a + 1; }
__attribute__((noinline)) long last(long a) { asm volatile (""); return a + 2; }
__attribute__((noinline)) long choose(long a, long b)
{
    leaf(a);
    switch (a & 3) {
    case 0: return leaf(b);
    case 1: return next(b);
    case 2: return last(b);
    default: leaf(1);
    }
    return last(leaf(a));
}
__attribute__((noinline)) int test(void) { return choose(0, 1) + choose(1, 1) + choose(2, 1) + choose(3, 1) - 11; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
