/* The reader of the GNU C library, with which backtrace() walks stacks, behind the line protocol of readers under test (ci/readers.md).

   Built by ci/consumers, together with sysdeps/generic/sframe-read.c of the source package. It is not told how long a section is, and trusts
   what it reads: sections that cannot be read are not claimed. VERSION is the library's, as text. */

#include "adapter.h"

#include "sframe-read.h"

static sframe_decoder_ctx decoder;

static const char *take(const char *line, uint64_t *moved)
{
  static char *bytes;
  static size_t size;
  uint64_t address;
  char path[4096];
  if (bytes != NULL)
    release_guarded(bytes, size);
  if (sscanf(line, "section %4095s %" SCNx64, path, &address) != 2)
    exit(USAGE);
  bytes = read_guarded(path, &size);
  memset(&decoder, 0, sizeof decoder);
  *moved = -address;
  return __sframe_decode(&decoder, bytes) == _URC_NO_REASON ? "read" : "refused";
}

static struct row look(uint64_t pc)
{
  int64_t at = (int64_t) pc;
  sframe_frame_row_entry found;
  _Unwind_Reason_Code error;
  /* The interface takes 32 bits. */
  if (at != (int32_t) at || __sframe_find_fre(&decoder, at, &found) != _URC_NO_REASON)
    return only(NONE);
  struct row row = only(ROW);
  row.cfa.base = __sframe_fre_get_base_reg_id(&found) == SFRAME_BASE_REG_SP ? target->sp : target->fp;
  row.cfa.offset = __sframe_fre_get_cfa_offset(&decoder, &found, &error);
  if (error != _URC_NO_REASON)
    return only(ERR);
  int32_t ra = __sframe_fre_get_ra_offset(&decoder, &found, &error);
  row.ra = error == _URC_NO_REASON ? at_cfa(ra) : same;
  int32_t fp = __sframe_fre_get_fp_offset(&decoder, &found, &error);
  row.fp = error == _URC_NO_REASON ? at_cfa(fp) : same;
  return row;
}

int main(int count, char **words)
{
  return serve(count, words, "glibc " VERSION, "__sframe_", take, look);
}
