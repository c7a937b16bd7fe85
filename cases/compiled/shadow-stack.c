/* The rule of x30 is its slot in a frame that is gone, until it is loaded from the shadow stack. */
__attribute__((noinline)) int leaf(int a) { asm volatile (""); return a; }
__attribute__((noinline)) int framed(int a) { return leaf(a) + leaf(a + 1); }
__attribute__((noinline)) int test(void) { return framed(1) - 3; }
unsigned long shadow[64];
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nadrp x18, shadow\nadd x18, x18, :lo12:shadow\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
