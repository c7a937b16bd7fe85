/* The reader of the GNU C library, with which backtrace() walks stacks, behind the line protocol of readers under test (ci/README.md).

   Built by ci/consumers, together with sysdeps/generic/sframe-read.c of the source package. It is not told how long a section is, and trusts
   what it reads: sections that cannot be read are not claimed. VERSION is the library's, as text. */

#include "adapter.h"

#include "sframe-read.h"

static sframe_decoder_ctx decoder;
static int is_read;
static unsigned char abi;

static const char *take(const char *line, uint64_t *address)
{
  static char *bytes;
  static size_t size;
  char path[4096];
  if (bytes != NULL)
    release_guarded(bytes, size);
  if (sscanf(line, "section %4095s %" SCNx64, path, address) != 2)
    exit(USAGE);
  bytes = read_guarded(path, &size);
  memset(&decoder, 0, sizeof decoder);
  is_read = __sframe_decode(&decoder, bytes) == _URC_NO_REASON;
  abi = bytes[4];
  return is_read ? "read" : "refused";
}

static void answer(int64_t at)
{
  sframe_frame_row_entry row;
  _Unwind_Reason_Code error;
  /* The interface takes 32 bits. */
  if (at != (int32_t) at || __sframe_find_fre(&decoder, at, &row) != _URC_NO_REASON)
    {
      printf("none\n");
      return;
    }
  int32_t cfa = __sframe_fre_get_cfa_offset(&decoder, &row, &error);
  if (error != _URC_NO_REASON)
    {
      printf("err\n");
      return;
    }
  printf("%s%+" PRId32, __sframe_fre_get_base_reg_id(&row) == SFRAME_BASE_REG_SP ? "sp" : "fp", cfa);
  int32_t ra = __sframe_fre_get_ra_offset(&decoder, &row, &error);
  printf(error == _URC_NO_REASON ? " cfa%+" PRId32 : " same", ra);
  int32_t fp = __sframe_fre_get_fp_offset(&decoder, &row, &error);
  printf(error == _URC_NO_REASON ? " cfa%+" PRId32 "\n" : " same\n", fp);
}

int main(int count, char **words)
{
  if (count == 2 && strcmp(words[1], "--version") == 0)
    {
      printf("glibc %s\n", VERSION);
      return 0;
    }
  if (count != 2 || strcmp(words[1], "sframe-answers-2") != 0)
    return USAGE;
  watch_crashes("__sframe_");
  uint64_t address = 0;
  char line[8192];
  while (fgets(line, sizeof line, stdin) != NULL)
    {
      if (strncmp(line, "section ", 8) == 0)
        {
          /* What came before is told, whatever this one does. */
          fflush(stdout);
          printf("%s\n", take(line, &address));
        }
      else if (is_read)
        answer((int64_t) (strtoull(line, NULL, 16) - address));
      else
        printf("err\n");
    }
  return ANSWERED;
}
