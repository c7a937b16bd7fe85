int test(void) { return 2; }
