/* clang: sections of blocks begin with key A, and the return address is signed with key B. */
volatile int sink;
__attribute__((noinline)) int choose(int a)
{
    if (a & 1)
        sink = a;
    return a;
}
__attribute__((noinline)) int test(void) { return choose(1) - 1; }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
