/* clang, for gas: a block section begins with its frame, and `.cfi_restore` gives the rule of its first row. */
volatile int sink;
__attribute__((noinline)) void leaf(int x) { sink = x; }
__attribute__((noinline)) int turn(int x)
{
    leaf(x);
    if (x)
        leaf(x + 1);
    return x;
}
__attribute__((noinline)) int test(void) { return turn(sink + 1) - 1; }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
