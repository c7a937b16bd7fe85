/* clang: a copy that register allocation inserts stands between a push of an argument and its directive. */
volatile unsigned zero;
volatile unsigned again;
__attribute__((noinline)) unsigned sum(unsigned count, ...) { return count + zero; }
__attribute__((noinline)) unsigned repeat(unsigned x)
{
    for (unsigned i = zero; i < 3; i++) {
        if (x & 2)
            x = sum(11, x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7, x + 8, x + 9, x + 10);
        if (again)
            x += repeat(x);
        x++;
    }
    return x;
}
__attribute__((noinline)) int test(void) { return repeat(5) == 0; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
