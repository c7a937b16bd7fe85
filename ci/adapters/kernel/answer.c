/* The reader of the Linux kernel, kernel/unwind/sframe.c, behind the line protocol of readers under test (ci/README.md).

   Built by `ci/consumers kernel=TREE`; the file itself is included, so that its functions are here. It reads where a section stands, and
   wants the code's addresses: both are moved to where the section was loaded. Whatever fails but to find nothing, it has not read. */

#include "../adapter.h"

#include "kernel/unwind/sframe.c"

static const char *take(const char *line, uint64_t *moved)
{
  static char *bytes;
  static size_t size;
  uint64_t address, from, to;
  char path[4096];
  if (bytes != NULL)
    {
      sframe_free_mm(current->mm);
      release_guarded(bytes, size);
    }
  if (sscanf(line, "section %4095s %" SCNx64 " %" SCNx64 " %" SCNx64, path, &address, &from, &to) != 4)
    exit(USAGE);
  bytes = read_guarded(path, &size);
  *moved = (uint64_t) bytes - address;
  user_from = (uintptr_t) bytes;
  user_to = user_from + size;
  return sframe_add_section((uint64_t) bytes, (uint64_t) bytes + size, from + *moved, to + *moved) == 0 ? "read" : "refused";
}

static const char *reg(unsigned int number)
{
  static char text[16];
  if (number == SFRAME_REG_SP || number == SFRAME_REG_FP)
    return number == SFRAME_REG_SP ? "sp" : "fp";
  snprintf(text, sizeof text, "r%u", number);
  return text;
}

static void value(struct unwind_user_rule_data what)
{
  int loaded = (what.rule & UNWIND_USER_RULE_DEREF) != 0;
  switch (what.rule & ~UNWIND_USER_RULE_DEREF)
    {
    case UNWIND_USER_RULE_RETAIN:
      printf(" same");
      break;
    case UNWIND_USER_RULE_CFA_OFFSET:
      printf(loaded ? " cfa%+d" : " =cfa%+d", what.offset);
      break;
    default:
      printf(loaded ? " [%s%+d]" : " %s%+d", reg(what.regnum), what.offset);
    }
}

static void answer(uint64_t pc)
{
  struct unwind_user_frame row;
  memset(&row, 0, sizeof row);
  int failed = sframe_find(pc, &row);
  if (failed)
    printf(failed == -ENOENT ? "none\n" : "err\n");
  else if (row.outermost)
    printf("outer\n");
  else
    {
      int kind = row.cfa.rule & ~UNWIND_USER_RULE_DEREF;
      unsigned int base = kind == UNWIND_USER_CFA_RULE_SP_OFFSET ? SFRAME_REG_SP
                          : kind == UNWIND_USER_CFA_RULE_FP_OFFSET ? SFRAME_REG_FP : row.cfa.regnum;
      printf(row.cfa.rule & UNWIND_USER_RULE_DEREF ? "[%s%+d]" : "%s%+d", reg(base), row.cfa.offset);
      value(row.ra);
      value(row.fp);
      printf("\n");
    }
}

int main(int count, char **words)
{
  return serve(count, words, "kernel " VERSION, "sframe_", take, answer);
}
