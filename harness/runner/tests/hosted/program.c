/* A program with an interpreter, which calls it with a status to exit with. */
#include <asm/unistd.h>
#define NO_START
#include "calls.h"

__attribute__((noinline)) static void finish(long status) { call1(__NR_exit_group, status); }

void program(long status)
{
    volatile long kept = status;
    finish(kept + 1);
}
