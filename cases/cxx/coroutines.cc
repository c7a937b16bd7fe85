// A coroutine that suspends three times: a ramp, a resumed part and its clean-up, in a frame outside of the stack.
#define KEEP __attribute__((noinline))

namespace std {
template <typename R, typename...> struct coroutine_traits { using promise_type = typename R::promise_type; };
template <typename P = void> struct coroutine_handle {
  void *frame;
  static coroutine_handle from_address(void *p) { return {p}; }
  static coroutine_handle from_promise(P &p) { return {__builtin_coro_promise(&p, alignof(P), true)}; }
  void resume() const { __builtin_coro_resume(frame); }
  void destroy() const { __builtin_coro_destroy(frame); }
  P &promise() const { return *static_cast<P *>(__builtin_coro_promise(frame, alignof(P), false)); }
  operator coroutine_handle<>() const;
};
template <> struct coroutine_handle<void> {
  void *frame;
  static coroutine_handle from_address(void *p) { return {p}; }
  void *address() const { return frame; }
};
template <typename P> coroutine_handle<P>::operator coroutine_handle<>() const { return {frame}; }
} // namespace std

volatile int seed = 3;

alignas(16) static char frames[4096];
KEEP void *operator new(unsigned long) { return frames; }
KEEP void operator delete(void *, unsigned long) noexcept {}
KEEP void operator delete(void *) noexcept {}

struct Always {
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<>) const noexcept {}
  void await_resume() const noexcept {}
};

struct Numbers {
  struct promise_type {
    int now;
    Numbers get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    Always initial_suspend() { return {}; }
    Always final_suspend() noexcept { return {}; }
    Always yield_value(int value) {
      now = value;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};

KEEP int next(Numbers numbers) {
  numbers.handle.resume();
  return numbers.handle.promise().now;
}

KEEP Numbers count(int from) {
  for (int i = 0; i < 3; i++) co_yield from + i;
}

extern "C" int test() {
  Numbers numbers = count(seed);
  int sum = 0;
  for (int i = 0; i < 3; i++) sum += next(numbers);
  numbers.handle.destroy();
  return sum;
}
