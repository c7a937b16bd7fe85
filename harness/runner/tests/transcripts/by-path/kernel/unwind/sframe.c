/* A stand-in for the kernel's reader: default rows of AMD64 whose starts and words have one byte. */
#include <linux/slab.h>
#include <linux/srcu.h>
#include <linux/sframe.h>

DEFINE_STATIC_SRCU(sframe_srcu);

struct header { u8 bytes[8]; u32 num_fdes, num_fres, fre_len, fdes, fres; } __packed;
struct fde { s64 start; u32 size, rows; } __packed;

static int read_row(struct sframe_section *sec, unsigned long ip, struct unwind_user_frame *frame)
{
  struct header header;
  unsafe_copy_from_user(&header, (void __user *) sec->start, sizeof header, Efault);
  for (u32 i = 0; i < header.num_fdes; i++) {
    unsigned long at = sec->start + 28 + header.fdes + i * sizeof(struct fde);
    struct fde fde;
    unsafe_copy_from_user(&fde, (void __user *) at, sizeof fde, Efault);
    unsigned long start = at + fde.start;
    if (ip < start || ip >= start + fde.size)
      continue;
    u8 *row = (u8 *) sec->start + 28 + header.fres + fde.rows, *found = NULL;
    u16 count;
    unsafe_get_user(count, (u16 __user *) row, Efault);
    for (row += 5; count-- > 0 && start + row[0] <= ip; row += 2 + (row[1] >> 1 & 15))
      found = row;
    if (!found)
      return -ENOENT;
    *frame = (struct unwind_user_frame) {
      .cfa = { found[1] & 1 ? UNWIND_USER_CFA_RULE_SP_OFFSET : UNWIND_USER_CFA_RULE_FP_OFFSET, (s8) found[2] },
      .ra = { UNWIND_USER_RULE_CFA_OFFSET | UNWIND_USER_RULE_DEREF, -8 },
    };
    if ((found[1] >> 1 & 15) > 1)
      frame->fp = (struct unwind_user_rule_data) { UNWIND_USER_RULE_CFA_OFFSET | UNWIND_USER_RULE_DEREF, (s8) found[3] };
    return 0;
  }
  return -ENOENT;
Efault:
  return -EFAULT;
}

int sframe_find(unsigned long ip, struct unwind_user_frame *frame)
{
  guard(srcu)(&sframe_srcu);
  struct sframe_section *sec = mtree_load(&current->mm->sframe_mt, ip);
  return sec ? read_row(sec, ip, frame) : -ENOENT;
}

int sframe_add_section(unsigned long sframe_start, unsigned long sframe_end, unsigned long text_start, unsigned long text_end)
{
  struct sframe_section *sec = kzalloc(sizeof *sec, GFP_KERNEL);
  sec->start = sframe_start;
  sec->end = sframe_end;
  return mtree_insert_range(&current->mm->sframe_mt, text_start, text_end, sec, GFP_KERNEL);
}

void sframe_free_mm(struct mm_struct *mm)
{
  kfree(mm->sframe_mt.entry);
  mtree_destroy(&mm->sframe_mt);
}
