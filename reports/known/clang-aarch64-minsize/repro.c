__attribute__((noinline)) void callee(void) { __asm__(""); }
int test(void)
{
    callee();
    return 0;
}
