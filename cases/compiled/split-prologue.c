/* clang: the prologue is copied to both branches, and blocks after the second copy begin as if there were no frame. */
__attribute__((noinline)) void done(void **list) { asm volatile ("" : : "r" (list) : "memory"); }
__attribute__((noinline)) void add(void **list, void **from)
{
    void **node = *from;
    if (node) {
        if (list[0]) {
            *(void **)list[1] = node;
            list[1] = node;
        } else {
            list[0] = node;
            list[1] = node;
        }
        while (*(void **)list[1])
            list[1] = *(void **)list[1];
        *from = 0;
        done(list);
        list[0] = 0;
    }
}
__attribute__((noinline)) int test(void)
{
    void *last = 0, *first = &last, *from = &first, *list[2] = {0, 0};
    add(list, &from);
    list[0] = list[1] = &first, from = &last;
    add(list, &from);
    return list[1] != &last;
}
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
