__attribute__((noipa)) int leaf(char *p, const void *q)
{
    return *p = q != 0;
}

__attribute__((noipa)) int framed(void)
{
    char room[1000];
    return leaf(room, __builtin_frame_address(0));
}

int test(void)
{
    return framed() + 1;
}
