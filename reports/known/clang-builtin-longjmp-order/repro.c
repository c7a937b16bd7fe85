void *place[5];
__attribute__((noinline)) void thrower(void) { __builtin_longjmp(place, 1); }
__attribute__((noinline)) int middle(int a)
{
    thrower();
    return a;
}
int test(void)
{
    if (__builtin_setjmp(place) == 0)
        return middle(1);
    return 0;
}
