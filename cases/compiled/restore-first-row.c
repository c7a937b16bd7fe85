/* gas: a cold part begins with its frame, and `.cfi_restore` gives the rule of its first row. */
volatile int zero;
__attribute__((noipa, cold)) int chill(int a) { zero = a; return a; }
__attribute__((noipa)) int cold(int a, int b)
{
    int x = a + b * 3;
    if (__builtin_expect(zero != 0, 0))
        x = chill(x) + chill(x + 1);
    return x;
}
__attribute__((noipa)) int test(void) { return cold(0, 0); }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
