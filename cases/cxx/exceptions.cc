// Throw, catch, rethrow, clean-up and a specification that ends the program: landing pads, cold parts, noreturn calls.
struct Error {
  int code;
};
struct Guard {
  int *count;
  ~Guard();
};
int source(int a);

int thrown(int a) {
  if (a > 3) throw Error{a};
  return source(a) + 1;
}

int caught(int a) {
  try {
    return thrown(a) * 2;
  } catch (const Error &error) {
    return error.code + source(a);
  } catch (...) {
    source(0);
    throw;
  }
}

int cleaned(int a) {
  int count = 0;
  Guard guard{&count};
  count += source(a);
  return thrown(count) + count;
}

int nested(int a) noexcept {
  try {
    try {
      return cleaned(a);
    } catch (int code) {
      throw Error{code};
    }
  } catch (const Error &error) {
    return error.code;
  }
}
