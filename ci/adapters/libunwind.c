/* libunwind behind the line protocol of readers under test (ci/readers.md): a step from the registers and memory of a question, through its
   accessors, by the search table of .eh_frame_hdr. AMD64. */

#define UNW_REMOTE_ONLY
#include "adapter.h"
#include <libunwind-x86_64.h>

/* What finds functions by a search table; for callers that bring accessors of their own. */
extern int UNW_OBJ(dwarf_search_unwind_table)(unw_addr_space_t, unw_word_t, unw_dyn_info_t *, unw_proc_info_t *, int, void *);

struct part { uint64_t address; size_t size; char *bytes; };
static struct part table, header;
static uint64_t text[2];
static struct machine question;
/* That of the question which is answered. */
static const struct machine *state = &question;

static int find(unw_addr_space_t space, unw_word_t ip, unw_proc_info_t *found, int need, void *arg)
{
  unw_dyn_info_t info;
  memset(&info, 0, sizeof info);
  info.format = UNW_INFO_FORMAT_REMOTE_TABLE;
  info.start_ip = text[0];
  info.end_ip = text[1];
  info.u.rti.segbase = header.address;
  info.u.rti.table_data = header.address + 12;
  info.u.rti.table_len = (header.size - 12) / sizeof(unw_word_t);
  return UNW_OBJ(dwarf_search_unwind_table)(space, ip, &info, found, need, arg);
}

static void put(unw_addr_space_t space, unw_proc_info_t *found, void *arg)
{
  /* It frees what its own search allocated. */
  (void) space, (void) found, (void) arg;
}

static int dynamic(unw_addr_space_t space, unw_word_t *list, void *arg)
{
  (void) space, (void) list, (void) arg;
  return -UNW_ENOINFO;
}

/* 8 bytes, of which those beyond a section are zeros. */
static int memory(unw_addr_space_t space, unw_word_t address, unw_word_t *value, int write, void *arg)
{
  (void) space, (void) arg;
  const struct part *parts[] = { &table, &header };
  if (write)
    return -UNW_EINVAL;
  for (size_t i = 0; i < 2; i++)
    if (address + 8 > parts[i]->address && address < parts[i]->address + parts[i]->size)
      {
        char bytes[8] = { 0 };
        for (size_t at = 0; at < 8; at++)
          if (address + at >= parts[i]->address && address + at < parts[i]->address + parts[i]->size)
            bytes[at] = parts[i]->bytes[address + at - parts[i]->address];
        memcpy(value, bytes, 8);
        return 0;
      }
  if (address >= text[0] && address < text[1])
    {
      *value = 0;
      return 0;
    }
  return load(state, address, value) ? 0 : -UNW_EINVAL;
}

static int access_register(unw_addr_space_t space, unw_regnum_t number, unw_word_t *value, int write, void *arg)
{
  (void) space, (void) arg;
  if (write || number < 0 || number >= REGISTERS || !state->known[number])
    return -UNW_EBADREG;
  *value = state->registers[number];
  return 0;
}

static int access_float(unw_addr_space_t space, unw_regnum_t number, unw_fpreg_t *value, int write, void *arg)
{
  (void) space, (void) number, (void) value, (void) write, (void) arg;
  return -UNW_EBADREG;
}

static int resume(unw_addr_space_t space, unw_cursor_t *cursor, void *arg)
{
  (void) space, (void) cursor, (void) arg;
  return -UNW_EINVAL;
}

static int name(unw_addr_space_t space, unw_word_t ip, char *out, size_t room, unw_word_t *offset, void *arg)
{
  (void) space, (void) ip, (void) out, (void) room, (void) offset, (void) arg;
  return -UNW_ENOINFO;
}

static unw_accessors_t accessors = { find, put, dynamic, memory, access_register, access_float, resume, name };

/* A step from a question: 1 if there is a caller, 0 if there is none, -1 if nothing describes the code, -2 if it cannot be read. */
/* That which is asked for in place of FP: DWARF's numbers are those of the library. */
static int asked = UNW_X86_64_RBP;

static int step(unw_addr_space_t space, unw_word_t *ip, unw_word_t *sp, unw_word_t *fp)
{
  unw_cursor_t cursor;
  unw_proc_info_t found;
  int said = unw_init_remote(&cursor, space, NULL);
  /* That nothing is found is not an error of a step, and another guess than a caller's. */
  if (said == 0 && !is_timed)
    said = unw_get_proc_info(&cursor, &found);
  if (said < 0)
    return said == -UNW_ENOINFO ? -1 : -2;
  /* What it says of code that nothing describes: an instruction that is a function. */
  if (!is_timed && found.format == UNW_INFO_FORMAT_DYNAMIC && found.end_ip == found.start_ip + 1)
    return -1;
  said = unw_step(&cursor);
  if (said > 0 && unw_get_reg(&cursor, UNW_REG_IP, ip) == 0 && unw_get_reg(&cursor, UNW_REG_SP, sp) == 0 && unw_get_reg(&cursor, asked, fp) == 0)
    return 1;
  return said == 0 ? 0 : -2;
}

static unw_addr_space_t timed_space;

static void step_of(const struct question *asked)
{
  unw_word_t ip, sp, fp;
  state = asked->machine;
  step(timed_space, &ip, &sp, &fp);
}

static void answer(unw_addr_space_t space, char *line)
{
  unw_word_t ip, sp, fp;
  question.registers[16] = parse_question(line, &question);
  question.known[16] = 1;
  /* Where nothing is found nothing is asked, and registers are not given. */
  if (!question.known[7])
    question.registers[7] = 0;
  question.known[7] = 1;
  keep_question(question.registers[16], &question);
  state = &question;
  switch (step(space, &ip, &sp, &fp))
    {
    case 1: printf("caller 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 "\n", ip, sp, fp); break;
    case 0: printf("outer\n"); break;
    case -1: printf("none\n"); break;
    default: printf("err\n");
    }
}

/* With its cache for all threads, as perf uses it: the first pass fills it. */
static void answer_time(unsigned long passes)
{
  timed_space = unw_create_addr_space(&accessors, 0);
  unw_set_caching_policy(timed_space, UNW_CACHE_GLOBAL);
  is_timed = 1;
  print_time(passes, step_of);
  is_timed = 0;
  unw_destroy_addr_space(timed_space);
}

int main(int count, char **words)
{
  char *line = NULL;
  size_t room = 0;
  unw_addr_space_t space = NULL;
  if (count == 2 && strcmp(words[1], "--version") == 0)
    {
      printf("libunwind %s\n", VERSION);
      return 0;
    }
  if (count != 2 || strcmp(words[1], "sframe-answers-2") != 0)
    return USAGE;
  watch_crashes("_U");
  while (getline(&line, &room, stdin) > 0)
    {
      char path[4096], index[4096];
      if (strncmp(line, "time ", 5) == 0)
        {
          answer_time(strtoul(line + 5, NULL, 10));
          continue;
        }
      if (strncmp(line, "section ", 8) != 0)
        {
          answer(space, line);
          continue;
        }
      fflush(stdout);
      forget_questions();
      const char *other = strstr(line, " register ");
      asked = other != NULL ? atoi(other + strlen(" register ")) : UNW_X86_64_RBP;
      if (table.bytes != NULL)
        {
          release_guarded(table.bytes, table.size);
          release_guarded(header.bytes, header.size);
          unw_destroy_addr_space(space);
        }
      table.bytes = header.bytes = NULL;
      if (sscanf(line, "section %4095s %" SCNx64 " %" SCNx64 " %" SCNx64 " %*s %*s eh-frame %4095s %" SCNx64, path, &table.address, &text[0], &text[1],
                 index, &header.address) != 6)
        return USAGE;
      table.bytes = read_guarded(path, &table.size);
      header.bytes = read_guarded(index, &header.size);
      /* Nothing is kept from section to section. */
      space = unw_create_addr_space(&accessors, 0);
      unw_set_caching_policy(space, UNW_CACHE_NONE);
      printf("read\n");
    }
  return ANSWERED;
}
