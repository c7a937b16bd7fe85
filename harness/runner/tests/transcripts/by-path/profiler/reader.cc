// A stand-in for a profiler's reader, and its adapter: default rows of version 2, on a target of its byte order or with words of one
// byte.
#include "adapter.h"

class Reader {
 public:
  Reader(const char *bytes, uint64_t address, bool swapped) : bytes_(bytes), address_(address), swapped_(swapped) {}

  struct row look(uint64_t pc) const
  {
    uint64_t fdes = 28 + word(20), fres = 28 + word(24);
    for (uint32_t i = 0; i < word(8); i++) {
      uint64_t at = fdes + 20 * i, start = address_ + (bytes_[3] & 4 ? at : 0) + (int32_t) word(at);
      if (pc < start || pc >= start + word(at + 4))
        continue;
      int starts = 1 << (bytes_[at + 16] & 15), words = 0, width = 1;
      const char *row = bytes_ + fres + word(at + 8), *found = nullptr;
      for (uint32_t count = word(at + 12); count-- > 0 && start + (number(row, starts) & (uint32_t) (UINT64_MAX >> (64 - 8 * starts))) <= pc; row += starts + 1 + words * width) {
        words = row[starts] >> 1 & 15;
        width = 1 << (row[starts] >> 5 & 3);
        found = row;
      }
      if (found == nullptr)
        break;
      words = found[starts] >> 1 & 15;
      width = 1 << (found[starts] >> 5 & 3);
      int fixed = (signed char) bytes_[6], next = 1;
      auto offset = [&](int index) { return number(found + starts + 1 + index * width, width); };
      struct row said = only(ROW);
      said.cfa = {found[starts] & 1 ? target->sp : target->fp, 0, offset(0)};
      said.ra = fixed != 0 ? at_cfa(fixed) : next < words ? at_cfa(offset(next++)) : same;
      said.fp = next < words ? at_cfa(offset(next)) : same;
      return said;
    }
    return only(NONE);
  }

 private:
  uint32_t word(uint64_t at) const
  {
    uint32_t value;
    memcpy(&value, bytes_ + at, sizeof value);
    return swapped_ ? __builtin_bswap32(value) : value;
  }

  // Signed, in the order of the target that it is built for.
  static int32_t number(const char *at, int width)
  {
    int8_t byte;
    int16_t half;
    int32_t whole;
    memcpy(width == 1 ? (void *) &byte : width == 2 ? (void *) &half : &whole, at, width);
    return width == 1 ? byte : width == 2 ? half : whole;
  }

  const char *bytes_;
  uint64_t address_;
  bool swapped_;
};

static Reader *asked;

static const char *take(const char *line, uint64_t *)
{
  uint64_t address;
  size_t size;
  char path[4096], order[16], from[32], to[32];
  if (sscanf(line, "section %4095s %" SCNx64 " %31s %31s %15s", path, &address, from, to, order) != 5)
    exit(USAGE);
  delete asked;
  // A big-endian program reads big-endian tables as they are.
  asked = new Reader(read_guarded(path, &size), address, (order[0] == 'b') != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__));
  return "read";
}

static struct row look(uint64_t pc)
{
  return asked->look(pc);
}

int main(int count, char **words)
{
  return serve(count, words, "stand-in 1", "Reader", take, look);
}
