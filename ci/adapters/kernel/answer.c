/* The reader of the Linux kernel, kernel/unwind/sframe.c, behind the line protocol of readers under test (ci/readers.md).

   Built by `ci/consumers kernel=TREE`; the file itself is included, so that its functions are here. It takes the section's and
   the code's addresses in memory: both are moved to where the section was loaded. Any error except "not found" counts as not read. */

#include "../adapter.h"

#include "kernel/unwind/sframe.c"

/* Its names since it also has the kernel's own code. */
#ifdef UNWIND_RULE_DEREF
#define unwind_user_frame unwind_frame
#define unwind_user_rule_data unwind_rule_data
#define UNWIND_USER_RULE_DEREF UNWIND_RULE_DEREF
#define UNWIND_USER_RULE_RETAIN UNWIND_RULE_RETAIN
#define UNWIND_USER_RULE_CFA_OFFSET UNWIND_RULE_CFA_OFFSET
#define UNWIND_USER_CFA_RULE_SP_OFFSET UNWIND_CFA_RULE_SP_OFFSET
#define UNWIND_USER_CFA_RULE_FP_OFFSET UNWIND_CFA_RULE_FP_OFFSET
#define sframe_find sframe_find_user
#endif

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

static struct place value(struct unwind_user_rule_data what)
{
  struct place place = { CFA, (what.rule & UNWIND_USER_RULE_DEREF) != 0, what.offset };
  switch (what.rule & ~UNWIND_USER_RULE_DEREF)
    {
    case UNWIND_USER_RULE_RETAIN:
      return same;
    case UNWIND_USER_RULE_CFA_OFFSET:
      return place;
    default:
      place.base = what.regnum;
      return place;
    }
}

static struct row look(uint64_t pc)
{
  struct unwind_user_frame found;
  memset(&found, 0, sizeof found);
  int failed = sframe_find(pc, &found);
  if (failed)
    return only(failed == -ENOENT ? NONE : ERR);
  if (found.outermost)
    return only(OUTER);
  int kind = found.cfa.rule & ~UNWIND_USER_RULE_DEREF;
  struct row row = only(ROW);
  row.cfa.base = kind == UNWIND_USER_CFA_RULE_SP_OFFSET ? SFRAME_REG_SP
                 : kind == UNWIND_USER_CFA_RULE_FP_OFFSET ? SFRAME_REG_FP : (int) found.cfa.regnum;
  row.cfa.loaded = (found.cfa.rule & UNWIND_USER_RULE_DEREF) != 0;
  row.cfa.offset = found.cfa.offset;
  row.ra = value(found.ra);
  row.fp = value(found.fp);
  return row;
}

int main(int count, char **words)
{
  return serve(count, words, "kernel " VERSION, "sframe_", take, look);
}
