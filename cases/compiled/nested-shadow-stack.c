/* gcc: x18 is the shadow stack's pointer and the static chain of nested functions. */
__attribute__((noipa)) void leaf(void) { }
__attribute__((noipa)) void leave(int status)
{
    register long number asm ("x8") = 93, x0 asm ("x0") = status;
    asm volatile ("svc #0" :: "r"(number), "r"(x0));
}
__attribute__((noipa)) void outer(int a)
{
    __attribute__((noipa)) int inner(void) { leaf(); return a; }
    leave(inner() - 5);
}
__attribute__((noipa)) int test(void) { outer(5); return 1; }
long shadow[64];
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nadrp x18, shadow\nadd x18, x18, :lo12:shadow\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
