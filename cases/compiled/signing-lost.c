/* clang: the state of the return address after an early return is that before it was signed. */
__attribute__((noinline)) int leaf(int a) { asm (""); return a; }
__attribute__((noinline)) int early(int a)
{
    if (__builtin_expect(a > 60, 0))
        return leaf(a) + 1;
    return a + 1;
}
__attribute__((noinline)) int test(void) { return early(1) + early(61) - 64; }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
