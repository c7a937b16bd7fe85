/* clang: the directives of an outlined function are at its beginning, before the instruction, and none follows the load at its end. */
volatile int sink;
__attribute__((noinline)) int leaf(int a) { sink = a; return sink; }
#define BODY { a = leaf(a) + 1; a = leaf(a) * 3; a = leaf(a) ^ 2; a = leaf(a) + 4; }
#define FUNCTION(name, n) __attribute__((noinline)) int name(int a) { BODY a += n; a = leaf(a); BODY return leaf(a); }
FUNCTION(f1, 3)
FUNCTION(f2, 5)
FUNCTION(f3, 7)
__attribute__((noinline)) int test(void) { sink = f1(0) + f2(0) + f3(0); return 0; }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
