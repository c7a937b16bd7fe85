/* clang: no CFI of the steps of a prologue or epilogue in functions that are made small. */
volatile int sink;
__attribute__((noinline)) int leaf(int a) { return a; }
__attribute__((noinline)) int large(int a) { volatile int v[100]; v[a] = a; return leaf(v[a]); }
__attribute__((noinline)) int variable(int a) { volatile char v[a + 1]; v[a] = 0; return leaf(v[a]); }
__attribute__((noinline)) int test(void) { return leaf(0) + large(0) + variable(3); }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
