/* gcc: x29 and x30 are loaded and SP is raised apart; the directives of both follow the second. */
__attribute__((noipa)) int leaf(char *p, void *frame) { return *p = frame == 0; }
__attribute__((noipa)) int framed(int a) { char v[1000]; return leaf(v, __builtin_frame_address(0)) + v[0] + a; }
__attribute__((noipa)) int test(void) { return framed(5) - 5; }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
