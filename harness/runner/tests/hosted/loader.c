/* Stands for a dynamic linker: maps an object by its program headers and calls it, then the program that it was started for. */
#include <asm/unistd.h>
#include <linux/auxvec.h>
#include <linux/elf.h>
#include <linux/mman.h>
#include "calls.h"

#define PAGES(value) (((value) + 4095) & ~4095ul)

static word map(word at, word size, long prot, long flags, long file, word offset)
{
#ifdef __s390x__
    word arguments[6] = {at, size, prot, flags, file, offset};
    return call1(__NR_mmap, arguments);
#else
    return call6(__NR_mmap, at, size, prot, flags, file, offset);
#endif
}

__attribute__((noinline)) static long load_and_call(const char *path, int number)
{
    struct { Elf64_Ehdr header; Elf64_Phdr segments[16]; } file;
    int in = call4(__NR_openat, AT_FDCWD, path, 0, 0);
    if (in < 0 || call4(__NR_pread64, in, &file, sizeof file, 0) < 0) return in;
    word base = map(0, 0x10000, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < file.header.e_phnum; i++) {
        Elf64_Phdr *one = &file.segments[i];
        if (one->p_type != PT_LOAD) continue;
        word inside = one->p_vaddr & 4095;
        map(base + one->p_vaddr - inside, PAGES(inside + one->p_filesz), one->p_flags & PF_X ? PROT_READ | PROT_EXEC : PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_FIXED, in, one->p_offset - inside);
    }
    return ((long (*)(int))(base + file.header.e_entry))(number);
}

void start(word *stack)
{
    char **arguments = (char **)(stack + 1), **environment = arguments + stack[0] + 1;
    while (*environment) environment++;
    word entry = 0;
    for (word *pair = (word *)environment + 1; *pair; pair += 2)
        if (*pair == AT_ENTRY) entry = pair[1];
    long status = load_and_call(stack[0] > 1 ? arguments[1] : "/lib/part.so", 5);
    ((void (*)(long))entry)(status);
}
