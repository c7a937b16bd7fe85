/* clang: the pass "X86 Indirect Thunks" ends with signal 11 after the machine outliner. */
int test(void) { return 0; }
