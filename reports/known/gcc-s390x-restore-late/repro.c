int test(void)
{
    volatile int slots[40];
    __asm__ volatile("" : : : "r11");
    return slots[1] = 1;
}
