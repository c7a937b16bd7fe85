/* libsframe of GNU binutils behind the line protocol of readers under test (ci/README.md): the reference adapter in C.

   Built by ci/consumers, against the headers of the library that it is linked with:
   API    2 up to binutils 2.45; 3 from 2.46, where accessors take the type of a function
   VERSION   the library's, as text

   The section ends where a page ends and the next page cannot be read, so that a read past it is a crash. */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sframe.h"
#include "sframe-api.h"

enum { ANSWERED = 0, REFUSED = 1, USAGE = 2, OUT_OF_MEMORY = 4 };

/* sfh_abi_arch of s390x; older headers do not name it. */
enum { S390X = 4 };

static sframe_decoder_ctx *decoder;
static unsigned char abi, version;

static char *read_guarded(const char *path, size_t *size)
{
  FILE *file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0)
    exit(USAGE);
  *size = ftell(file);
  rewind(file);
  size_t page = sysconf(_SC_PAGESIZE), room = (*size + page - 1) / page * page;
  char *pages = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || mprotect(pages + room, page, PROT_NONE) != 0)
    exit(USAGE);
  char *bytes = pages + room - *size;
  if (fread(bytes, 1, *size, file) != *size)
    exit(USAGE);
  fclose(file);
  return bytes;
}

static int sp(void) { return abi == 3 ? 7 : abi == S390X ? 15 : 31; }
static int fp(void) { return abi == 3 ? 6 : abi == S390X ? 11 : 29; }

static const char *name(unsigned number)
{
  static char text[2][16];
  static int turn;
  char *out = text[turn ^= 1];
  snprintf(out, sizeof text[0], "r%u", number);
  return number == (unsigned) sp() ? "sp" : number == (unsigned) fp() ? "fp" : out;
}

/* A word of a default row: a slot, or on s390x before V3 a register. */
static void print_slot(int32_t offset)
{
  if (abi == S390X && version == 2 && (offset & 1))
    printf(" %s+0", name((unsigned) offset >> 1));
  else
    printf(" cfa%+" PRId32, offset);
}

#if API >= 3
static int32_t word(const sframe_frame_row_entry *row, int index)
{
  int error = 0;
  uint32_t bits = sframe_get_fre_udata(row, index, &error);
  switch (row->fre_info >> 5 & 3)
    {
    case 0: return (int8_t) bits;
    case 1: return (int16_t) bits;
    default: return (int32_t) bits;
    }
}

/* A control word and an offset. */
static void print_pair(uint32_t control, int32_t offset)
{
  const char *base = control & 1 ? name(control >> 3) : "cfa";
  if (control & 1)
    printf(control & 2 ? "[%s%+" PRId32 "]" : "%s%+" PRId32, base, offset);
  else
    printf(control & 2 ? "%s%+" PRId32 : "=%s%+" PRId32, base, offset);
}

static void print_flex(const sframe_frame_row_entry *row, const char *ra)
{
  int error = 0, count = row->fre_info >> 1 & 15, at = 2;
  /* A CFA counts from a register. */
  if (count < 2 || !(sframe_get_fre_udata(row, 0, &error) & 1))
    {
      printf("err\n");
      return;
    }
  int32_t cfa = word(row, 1);
  print_pair(sframe_get_fre_udata(row, 0, &error), abi == S390X ? cfa * 8 + 160 : cfa);
  putchar(' ');
  if (at < count && sframe_get_fre_udata(row, at, &error) == 0)
    {
      printf("%s", ra);
      at++;
    }
  else if (at + 1 < count)
    {
      print_pair(sframe_get_fre_udata(row, at, &error), word(row, at + 1));
      at += 2;
    }
  else
    printf("%s", ra);
  putchar(' ');
  if (at + 1 < count)
    print_pair(sframe_get_fre_udata(row, at, &error), word(row, at + 1));
  else
    printf("same");
  putchar('\n');
}

/* The library finds a row without saying of which function: its type is looked up by the same address. */
static unsigned type_at(int64_t at)
{
  for (uint32_t i = 0; i < sframe_decoder_get_num_fidx(decoder); i++)
    {
      uint32_t rows, size;
      int64_t start;
      unsigned char info, info2;
      uint8_t block;
      int error = 0;
      if (sframe_decoder_get_funcdesc_v3(decoder, i, &rows, &size, &start, &info, &info2, &block) != 0)
        continue;
      if (sframe_decoder_get_flags(decoder) & SFRAME_F_FDE_FUNC_START_PCREL)
        start += sframe_decoder_get_offsetof_fde_start_addr(decoder, i, &error);
      if (start <= at && at < start + size)
        return info2 & 31;
    }
  return 0;
}
#define CFA(row, error) sframe_fre_get_cfa_offset(decoder, row, SFRAME_FDE_TYPE_DEFAULT, error)
#define RA(row, error) sframe_fre_get_ra_offset(decoder, row, SFRAME_FDE_TYPE_DEFAULT, error)
#define FP(row, error) sframe_fre_get_fp_offset(decoder, row, SFRAME_FDE_TYPE_DEFAULT, error)
#else
#define CFA(row, error) sframe_fre_get_cfa_offset(decoder, row, error)
#define RA(row, error) sframe_fre_get_ra_offset(decoder, row, error)
#define FP(row, error) sframe_fre_get_fp_offset(decoder, row, error)
#endif

static void answer(int64_t at)
{
  sframe_frame_row_entry row;
  memset(&row, 0, sizeof row);
  if (sframe_find_fre(decoder, at, &row) != 0)
    {
      printf("none\n");
      return;
    }
  int error = 0, fixed_ra = sframe_decoder_get_fixed_ra_offset(decoder);
  char ra[16] = "same";
  if (fixed_ra != 0)
    snprintf(ra, sizeof ra, "cfa%+d", fixed_ra);
#if API >= 3
  if (sframe_fre_get_ra_undefined_p(decoder, &row, &error))
    {
      printf("outer\n");
      return;
    }
  unsigned type = version == 3 ? type_at(at) : SFRAME_FDE_TYPE_DEFAULT;
  if (type == SFRAME_FDE_TYPE_FLEX)
    {
      print_flex(&row, ra);
      return;
    }
#endif
  int base = sframe_fre_get_base_reg_id(&row, &error);
  int32_t cfa = CFA(&row, &error);
  if (error != 0)
    {
      printf("err\n");
      return;
    }
  printf("%s%+" PRId32, base == SFRAME_BASE_REG_SP ? "sp" : "fp", cfa);
  int32_t offset = RA(&row, &error);
  if (fixed_ra != 0 || error != 0 || (abi == S390X && offset == 0))
    printf(" %s", ra);
  else
    print_slot(offset);
  error = 0;
  offset = FP(&row, &error);
  if (error != 0)
    printf(" same");
  else
    print_slot(offset);
  error = 0;
  if ((abi == 1 || abi == 2) && sframe_fre_get_ra_mangled_p(decoder, &row, &error))
    printf(" signed-a");
  putchar('\n');
}

int main(int count, char **words)
{
  if (count == 2 && strcmp(words[1], "--version") == 0)
    {
      printf("libsframe %s\n", VERSION);
      return 0;
    }
  if (count != 8 || strcmp(words[1], "sframe-answers-1") != 0)
    return USAGE;
  size_t size;
  int error = 0;
  char *bytes = read_guarded(words[2], &size);
  uint64_t address = strtoull(words[3], NULL, 16);
  /* The library's own error says "no memory" of much that is something else. */
  errno = 0;
  decoder = sframe_decode(bytes, size, &error);
  if (decoder == NULL)
    return errno == ENOMEM ? OUT_OF_MEMORY : REFUSED;
  abi = sframe_decoder_get_abi_arch(decoder);
  version = bytes[2];
  char line[4096];
  while (fgets(line, sizeof line, stdin) != NULL)
    {
      int64_t at = (int64_t) (strtoull(line, NULL, 16) - address);
#if API < 3
      /* The interface takes 32 bits. */
      if (at != (int32_t) at)
        {
          printf("none\n");
          continue;
        }
#endif
      answer(at);
    }
  return ANSWERED;
}
