/* gcc: rules of slots that only one of two joined paths has written (-mpreserve-args). */
__attribute__((noinline)) void work(void) { asm volatile ("" ::: "memory"); }
__attribute__((noinline)) long last(long value) { asm volatile ("" ::: "memory"); return value; }
int is_done;
__attribute__((noinline)) long joined(long value)
{
    if (__builtin_expect(is_done, 0))
        return last(value);
    work();
    return last(value);
}
__attribute__((noinline)) int test(void)
{
    is_done = 1;
    return joined(0);
}
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined %r14\naghi %r15, -160\n.cfi_adjust_cfa_offset 160\nlghi %r6, 77\nlghi %r11, 0\nstg %r11, 0(%r15)\n"
     "stg %r11, 152(%r15)\nbrasl %r14, test\nsvc 1\n"
     ".cfi_endproc\n.size _start, .-_start\n");
