__attribute__((noinline)) void callee(void) { __asm__(""); }
__attribute__((noinline, ms_abi)) void other(void) { callee(); }
int test(void)
{
    other();
    return 0;
}
