/* @TITLE@
   cc repro.c -ldw -lelf; prints the operations of the CFA that libdw finds in repro.elf for @PC@. Expected: @WANT@ */
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdio.h>

int main (void)
{
  elf_version (EV_CURRENT);
  Elf *elf = elf_begin (open ("repro.elf", O_RDONLY), ELF_C_READ, NULL);
  Dwarf_CFI *cfi = dwarf_getcfi_elf (elf);
  Dwarf_Frame *frame;
  Dwarf_Op *ops;
  size_t count;
  if (dwarf_cfi_addrframe (cfi, @PC@, &frame) != 0 || dwarf_frame_cfa (frame, &ops, &count) != 0)
    {
      printf ("error: %s\n", dwarf_errmsg (-1));
      return 1;
    }
  printf ("CFA:");
  for (size_t n = 0; n < count; n++)
    printf (" DW_OP %#x %lld %lld", ops[n].atom, (long long) ops[n].number, (long long) ops[n].number2);
  printf ("\n");
  return 0;
}
