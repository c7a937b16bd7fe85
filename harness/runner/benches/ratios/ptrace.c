/* What a step takes when a loop around ptrace makes it and reads the registers: the time in nanoseconds, after "a step: ".
   usage: ptrace PROGRAM     exit: 1 the program cannot be traced */
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 100000 };

int main(int count, char **words)
{
    pid_t child;
    int status;
    struct timespec begun, over;
    struct user_regs_struct registers;
    if (count != 2)
        return 1;
    child = fork();
    if (child < 0)
        return 1;
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
            execv(words[1], words + 1);
        _exit(1);
    }
    waitpid(child, &status, 0);
    clock_gettime(CLOCK_MONOTONIC, &begun);
    for (int step = 0; step < STEPS; step++) {
        if (!WIFSTOPPED(status) || ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) != 0)
            return 1;
        waitpid(child, &status, 0);
        if (ptrace(PTRACE_GETREGS, child, NULL, &registers) != 0)
            return 1;
    }
    clock_gettime(CLOCK_MONOTONIC, &over);
    ptrace(PTRACE_KILL, child, NULL, NULL);
    printf("a step: %f\n", ((over.tv_sec - begun.tv_sec) * 1e9 + (over.tv_nsec - begun.tv_nsec)) / STEPS);
    return 0;
}
