/* clang: the outliner calls a part of the prologue, and no directive says that x30 is saved by then. */
volatile int sink;
__attribute__((noinline)) int leaf(int a) { return a + 1; }
#define SAVED "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "v8"
__attribute__((noinline)) int one(int a) { asm volatile ("" : : : SAVED); sink = leaf(a); return a; }
__attribute__((noinline)) int two(int a) { asm volatile ("" : : : SAVED); return leaf(leaf(a)) - 2; }
__attribute__((noinline)) int three(int a) { asm volatile ("" : : : SAVED); return leaf(a) + leaf(a) - 2; }
__attribute__((noinline)) int test(void) { return one(0) + two(0) + three(0); }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
