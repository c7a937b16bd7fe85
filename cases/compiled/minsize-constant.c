/* clang: a constant by "push $5; pop %rax" before the frame of a function with a frame pointer, without .cfi_adjust_cfa_offset. */
__attribute__((noinline)) unsigned add(unsigned x, unsigned y) { asm volatile (""); return x + y; }
__attribute__((noinline)) unsigned early(unsigned x, unsigned y)
{
    if (__builtin_expect(x == 0, 1))
        return 5;
    return add(7, y) + add(9, x) * add(3, y);
}
__attribute__((noinline)) unsigned test(void) { return early(0, 1) + early(1, 2) - 64; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
