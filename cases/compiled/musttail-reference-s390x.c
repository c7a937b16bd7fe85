/* clang: a musttail call passes the address of a copy in the frame that it leaves. */
struct large { long words[5]; };
__attribute__((noinline)) long use(struct large copy, long at)
{
    volatile char over[256];
    for (int i = 0; i < 256; i++)
        over[i] = -1;
    return copy.words[0] + copy.words[at];
}
__attribute__((noinline)) long pass(struct large from, long at)
{
    struct large copy = from;
    copy.words[at] = 7;
    __attribute__((musttail)) return use(copy, at);
}
__attribute__((noinline)) int test(void) { return pass((struct large){{3}}, 2) - 10 != 0; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined %r14\naghi %r15, -160\n.cfi_adjust_cfa_offset 160\nlghi %r11, 0\nstg %r11, 0(%r15)\n"
     "stg %r11, 152(%r15)\nbrasl %r14, test\nsvc 1\n"
     ".cfi_endproc\n.size _start, .-_start\n");
