/* clang: the prologue probes the frame through r11, which holds the eleventh argument. */
__attribute__((noinline, preserve_none))
long eleventh(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k)
{
    char frame[70000];
    asm volatile ("" :: "r"(frame) : "memory");
    return k - a;
}
volatile long last = 11;
__attribute__((noinline)) int test(void) { return eleventh(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, last) - 10; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
