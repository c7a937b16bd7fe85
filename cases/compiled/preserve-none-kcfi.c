/* clang: the check of a call's type uses r11, which holds the eleventh argument. */
#define NONE __attribute__((noinline, preserve_none))
NONE long eleventh(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l)
{
    return k - l;
}
typedef __attribute__((preserve_none)) long called(long, long, long, long, long, long, long, long, long, long, long, long);
called *volatile pointer = eleventh;
__attribute__((noinline)) int test(void) { return pointer(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) + 1; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
