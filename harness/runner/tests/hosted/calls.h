/* System calls and the start of a program, without a C library. */
typedef unsigned long word;
typedef unsigned char byte;

#define AT_FDCWD -100

#if defined __x86_64__
static long call(long n, long a, long b, long c, long d, long e, long f)
{
    register long r10 asm("r10") = d, r8 asm("r8") = e, r9 asm("r9") = f;
    asm volatile("syscall" : "+a"(n) : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
    return n;
}
#ifndef NO_START
asm(".globl _start\n.type _start, @function\n_start: .cfi_startproc\n.cfi_undefined rip\nmov %rsp, %rdi\nand $-16, %rsp\ncall start\nhlt\n"
    ".cfi_endproc\n.size _start, .-_start\n");
#endif
#elif defined __aarch64__
static long call(long n, long a, long b, long c, long d, long e, long f)
{
    register long x8 asm("x8") = n, x0 asm("x0") = a, x1 asm("x1") = b, x2 asm("x2") = c;
    register long x3 asm("x3") = d, x4 asm("x4") = e, x5 asm("x5") = f;
    asm volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
}
#ifndef NO_START
asm(".globl _start\n.type _start, %function\n_start: .cfi_startproc\n.cfi_undefined x30\nmov x0, sp\nbl start\nbrk #1\n.cfi_endproc\n"
    ".size _start, .-_start\n");
#endif
#elif defined __s390x__
static long call(long n, long a, long b, long c, long d, long e, long f)
{
    register long r1 asm("1") = n, r2 asm("2") = a, r3 asm("3") = b, r4 asm("4") = c;
    register long r5 asm("5") = d, r6 asm("6") = e, r7 asm("7") = f;
    asm volatile("svc 0" : "+d"(r2) : "d"(r1), "d"(r3), "d"(r4), "d"(r5), "d"(r6), "d"(r7) : "memory");
    return r2;
}
#ifndef NO_START
asm(".globl _start\n.type _start, @function\n_start: .cfi_startproc\n.cfi_undefined r14\nlgr %r2, %r15\naghi %r15, -160\nbrasl %r14, start\n"
    "j .\n.cfi_endproc\n.size _start, .-_start\n");
#endif
#endif

#define call0(n) call(n, 0, 0, 0, 0, 0, 0)
#define call1(n, a) call(n, (long)(a), 0, 0, 0, 0, 0)
#define call2(n, a, b) call(n, (long)(a), (long)(b), 0, 0, 0, 0)
#define call3(n, a, b, c) call(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define call4(n, a, b, c, d) call(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define call5(n, a, b, c, d, e) call(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)
#define call6(n, a, b, c, d, e, f) call(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
