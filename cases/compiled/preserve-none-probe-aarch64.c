/* gcc: the prologue probes the frame through x12, or x10, which hold arguments. */
#define EIGHT(n) long n##0, long n##1, long n##2, long n##3, long n##4, long n##5, long n##6, long n##7
__attribute__((noipa, preserve_none)) long sum(EIGHT(a), EIGHT(b), EIGHT(c))
{
    char frame[70000];
    asm volatile ("" :: "r"(frame) : "memory");
    return b7 + c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7;
}
__attribute__((noipa)) int test(void)
{
    return sum(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9) - 45;
}
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
