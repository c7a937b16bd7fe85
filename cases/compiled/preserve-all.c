/* clang: a save of preserve_all at an offset that `stp` cannot encode; GNU as refuses it, clang's own assembler encodes -512. */
int leaf(int a);
__attribute__((preserve_all)) int all(int a)
{
    asm volatile ("" ::: "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28");
    return leaf(a) + leaf(1);
}
