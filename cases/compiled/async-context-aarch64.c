/* clang: bit 60 of x29 marks the frame of a function with an asynchronous context; the rule of x29 yields the marked value. */
volatile long sink;
__attribute__((noinline)) int leaf(int a) { sink = a; return a; }
__attribute__((noinline, swiftasynccall)) void async(__attribute__((swift_async_context)) void *c, long a)
{
    char v[a];
    asm volatile ("" : : "r" (v) : "memory");
    sink = leaf(a);
}
__attribute__((noinline)) int test(void) { async(0, 1); return 0; }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
