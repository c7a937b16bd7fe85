/* gcc: the tracker of speculation, -1, is set up in x15, which holds an argument. */
#define EIGHT(n) long n##0, long n##1, long n##2, long n##3, long n##4, long n##5, long n##6, long n##7
__attribute__((noipa)) void leaf(void) { }
__attribute__((noipa, preserve_none)) long last(EIGHT(a), EIGHT(b), EIGHT(c)) { leaf(); return c7 + c6 + c5; }
__attribute__((noipa)) int test(void)
{
    return last(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 8, -2) - 13;
}
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
