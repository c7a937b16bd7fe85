/* What kernel/unwind/sframe.c takes of the rest of the kernel, for a process of its own: memory is this process's, nothing else runs, and one
   section is known at a time. Included before everything, in place of the headers that the file names. */

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define CONFIG_64BIT 1
#define CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS 1
#define CONFIG_UNWIND_USER 1
#define CONFIG_HAVE_UNWIND_USER_SFRAME 1
/* An option of the kernel, for debugging. */
#ifndef WITHOUT_VALIDATION
#define CONFIG_SFRAME_VALIDATION 1
#endif

#define __user
#define __packed __attribute__ ((packed))
#define __always_inline inline __attribute__ ((always_inline))
#define __maybe_unused __attribute__ ((unused))
#define BIT(n) (1u << (n))
/* Of what is set above; what is not does not compile. */
#define IS_ENABLED(option) (option)
#define BUILD_BUG_ON(what) _Static_assert (!(what), #what)
#define container_of(pointer, type, member) ((type *) ((char *) (pointer) - offsetof (type, member)))
#define no_printk(...) ((void) 0)
#define pr_debug(...) ((void) 0)
#define WARN_ON_ONCE(what) (what)
#define cond_resched() ((void) 0)

#define GFP_KERNEL 0
#define GFP_KERNEL_ACCOUNT 0
#define kzalloc(size, flags) calloc (1, size)
#define kzalloc_obj(object, ...) calloc (1, sizeof (object))
#define kfree(pointer) free (pointer)

/* Locks and sections of RCU: nobody else is here. */
struct rcu_head { void *next; };
#define DEFINE_STATIC_SRCU(name) static int __maybe_unused name
#define guard(kind) (void)
#define scoped_guard(...) if (1)
#define call_srcu(domain, head, free_it) free_it (head)

/* User memory: what the section was loaded into. To read elsewhere is no crash of a kernel, but a fault that it is told of. Fields need not be
   aligned. */
static uintptr_t user_from, user_to;
static inline bool copies_from_user(void *to, const void *from, size_t size)
{
  uintptr_t at = (uintptr_t) from;
  if (at < user_from || at > user_to || size > user_to - at)
    return false;
  memcpy (to, from, size);
  return true;
}
#define copy_from_user(to, from, size) (copies_from_user (to, from, size) ? 0 : (size))
#define unsafe_copy_from_user(to, from, size, failed) do { if (!copies_from_user (to, from, size)) goto failed; } while (0)
#define unsafe_get_user(to, from, failed) \
  do { __typeof__ (*(from)) value_; if (!copies_from_user (&value_, from, sizeof value_)) goto failed; (to) = value_; } while (0)
#define user_read_access_begin(from, size) 1
#define user_read_access_end() ((void) 0)

/* A maple tree with room for one range. */
struct maple_tree { void *entry; unsigned long first, last; };
#define MTREE_INIT(name, flags) { NULL, 0, 0 }
static inline void *mtree_load(struct maple_tree *tree, unsigned long at)
{
  return tree->entry != NULL && tree->first <= at && at <= tree->last ? tree->entry : NULL;
}
static inline int mtree_insert_range(struct maple_tree *tree, unsigned long first, unsigned long last, void *entry, int flags)
{
  if (tree->entry != NULL)
    return -EEXIST;
  *tree = (struct maple_tree) { entry, first, last };
  return 0;
}
static inline void *mtree_erase(struct maple_tree *tree, unsigned long at)
{
  void *entry = mtree_load (tree, at);
  if (entry != NULL)
    tree->entry = NULL;
  return entry;
}
static inline bool mtree_empty(struct maple_tree *tree) { return tree->entry == NULL; }
static inline void mtree_destroy(struct maple_tree *tree) { tree->entry = NULL; }
#define mt_for_each(tree, found, index, most) \
  for (int once_ = 1; once_ && ((found) = (tree)->entry) != NULL; once_ = 0)

/* One mapping has all of memory. */
#define VM_EXEC 4
struct vm_area_struct { unsigned long vm_start, vm_end, vm_flags; };
struct mm_struct { struct maple_tree sframe_mt; };
struct task_struct { struct mm_struct *mm; };
static struct mm_struct only_mm;
static struct task_struct only_task = { &only_mm };
static struct vm_area_struct all_of_memory = { 0, ULONG_MAX, VM_EXEC };
#define current (&only_task)
#define vma_lookup(mm, at) ((void) (mm), (void) (at), &all_of_memory)

/* DWARF numbers, as <asm/unwind_user_sframe.h> has them. */
#ifdef FOR_ARM64
#define SFRAME_REG_SP 31
#define SFRAME_REG_FP 29
#else
#define SFRAME_REG_SP 7
#define SFRAME_REG_FP 6
#endif
