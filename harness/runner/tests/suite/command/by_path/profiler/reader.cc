// A stand-in for a profiler's reader, and its adapter: default rows of version 2 whose starts and words have one byte.
#include "adapter.h"

class Reader {
 public:
  Reader(const char *bytes, uint64_t address, bool swapped) : bytes_(reinterpret_cast<const signed char *>(bytes)), address_(address), swapped_(swapped) {}

  void answer(uint64_t pc) const
  {
    uint64_t fdes = 28 + word(20), fres = 28 + word(24);
    for (uint32_t i = 0; i < word(8); i++) {
      uint64_t at = fdes + 20 * i, start = address_ + (bytes_[3] & 4 ? at : 0) + (int32_t) word(at);
      if (pc < start || pc >= start + word(at + 4))
        continue;
      const signed char *row = bytes_ + fres + word(at + 8), *found = nullptr;
      for (uint32_t count = word(at + 12); count-- > 0 && start + (uint8_t) row[0] <= pc; row += 2 + (row[1] >> 1 & 15))
        found = row;
      if (found == nullptr)
        break;
      int words = found[1] >> 1 & 15, fixed = bytes_[6], next = 3;
      printf("%s%+d", found[1] & 1 ? "sp" : "fp", found[2]);
      if (fixed != 0)
        printf(" cfa%+d", fixed);
      else if (words > 1)
        printf(" cfa%+d", found[next++]);
      else
        printf(" same");
      if (next - 2 < words)
        printf(" cfa%+d\n", found[next]);
      else
        printf(" same\n");
      return;
    }
    printf("none\n");
  }

 private:
  uint32_t word(uint64_t at) const
  {
    uint32_t value;
    memcpy(&value, bytes_ + at, sizeof value);
    return swapped_ ? __builtin_bswap32(value) : value;
  }

  // Offsets are signed, which char is on some targets only.
  const signed char *bytes_;
  uint64_t address_;
  bool swapped_;
};

int main(int count, char **words)
{
  if (count == 2 && strcmp(words[1], "--version") == 0)
    return printf("stand-in 1\n") < 0;
  char line[8192], path[4096];
  Reader *reader = nullptr;
  watch_crashes("Reader");
  while (fgets(line, sizeof line, stdin) != nullptr) {
    uint64_t address;
    size_t size;
    char order[16], from[32], to[32];
    if (sscanf(line, "section %4095s %" SCNx64 " %31s %31s %15s", path, &address, from, to, order) == 5) {
      delete reader;
      // A big-endian program reads big-endian tables as they are.
      reader = new Reader(read_guarded(path, &size), address, (order[0] == 'b') != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__));
      fflush(stdout);
      printf("read\n");
    } else
      reader->answer(strtoull(line, nullptr, 16));
  }
}
