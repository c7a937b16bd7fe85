/* gcc: the second word of a structure is passed in x29, the frame pointer, instead of x0. */
struct pair { long low, high; };
__attribute__((noipa, preserve_none)) long ninth(long a, long b, long c, long d, long e, long f, long g, long h, struct pair p)
{
    long frame[2] = {p.low, p.high};
    asm volatile ("" :: "r"(frame) : "memory", "x30");
    return frame[0] + frame[1];
}
__attribute__((noipa)) int test(void) { return ninth(1, 2, 3, 4, 5, 6, 7, 8, (struct pair){9, 10}) - 19; }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
