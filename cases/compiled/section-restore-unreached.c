/* clang, for gas: `.cfi_restore` in a block section that only a computed goto reaches gives the rule of its first row. */
volatile int sink;
__attribute__((noinline)) int leaf(int x) { return sink = x; }
__attribute__((noinline)) int turn(int x)
{
    static const void *const to[] = { &&a, &&b, &&c };
    x += leaf(x);
    goto *to[x % 3];
    a: x = leaf(x); goto c;
    b: x += 5;
    c: return x ^ 3;
}
__attribute__((noinline)) int test(void) { return 0; }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
