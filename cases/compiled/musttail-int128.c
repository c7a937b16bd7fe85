/* clang: a musttail call passes the addresses of two numbers in the frame that it leaves. */
typedef __int128 wide;
__attribute__((noinline)) long use(wide a, wide b)
{
    volatile char over[256];
    for (int i = 0; i < 256; i++)
        over[i] = -1;
    return a - b;
}
__attribute__((noinline)) long pass(wide a, wide b) { __attribute__((musttail)) return use(b + 1, a); }
__attribute__((noinline)) int test(void) { return pass(3, 7) - 5 != 0; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined %r14\naghi %r15, -160\n.cfi_adjust_cfa_offset 160\nlghi %r11, 0\nstg %r11, 0(%r15)\n"
     "stg %r11, 152(%r15)\nbrasl %r14, test\nsvc 1\n"
     ".cfi_endproc\n.size _start, .-_start\n");
