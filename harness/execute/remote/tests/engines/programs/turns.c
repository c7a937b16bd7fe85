// Two threads that alternate by futexes, each with its own thread pointer; the status is 42 if each
// saw all stores of the other.
static volatile int word, sum;
__attribute__((used)) static long stack[512];

#if defined(__x86_64__)
#define NUMBERS { FUTEX = 202, EXIT = 60, GROUP = 231 }
static long call(long n, long a, long b, long c, long d) {
  register long r10 __asm__("r10") = d; long r;
  __asm__ volatile("syscall" : "=a"(r) : "0"(n), "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
  return r; }
#define CLONE "mov $56,%eax; mov $0x90f00,%edi; lea stack+4096(%rip),%rsi; mov %rsi,%r8; syscall; test %eax,%eax; jz begin; ret"
#elif defined(__aarch64__)
#define NUMBERS { FUTEX = 98, EXIT = 93, GROUP = 94 }
static long call(long n, long a, long b, long c, long d) {
  register long x8 __asm__("x8") = n; register long x0 __asm__("x0") = a; register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c; register long x3 __asm__("x3") = d;
  __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory"); return x0; }
#define CLONE "mov x8,#220; mov x0,#0x0f00; movk x0,#9,lsl #16; adrp x1,stack; add x1,x1,:lo12:stack; add x1,x1,#4096; mov x3,x1; svc #0; cbz x0,begin; ret"
#else
#define NUMBERS { FUTEX = 238, EXIT = 1, GROUP = 248 }
static long call(long n, long a, long b, long c, long d) {
  register long r1 __asm__("r1") = n; register long r2 __asm__("r2") = a; register long r3 __asm__("r3") = b;
  register long r4 __asm__("r4") = c; register long r5 __asm__("r5") = d;
  __asm__ volatile("svc 0" : "+d"(r2) : "d"(r1), "d"(r3), "d"(r4), "d"(r5) : "memory"); return r2; }
#define CLONE "larl %r2,stack; aghi %r2,3936; llilf %r3,0x90f00; lgr %r6,%r2; svc 120; ltgr %r2,%r2; je begin; br %r14"
#endif
enum NUMBERS;
__asm__(".pushsection .text; make: " CLONE "; .popsection");
void make(void);
static void *thread(void) {
#if defined(__x86_64__)
  void *at; __asm__ volatile("rdfsbase %0" : "=r"(at)); return at;
#else
  return __builtin_thread_pointer();
#endif
}
static void wait_for(int value) { for (int now; (now = word) != value;) call(FUTEX, (long)&word, 128, now, 0); }
static void become(int value) { word = value; call(FUTEX, (long)&word, 129, 1, 0); }
__attribute__((used)) void begin(void) {
  for (int i = 0; i < 3; i++) { wait_for(2 * i + 1); __sync_fetch_and_add(&sum, 7); become(2 * i + 2); }
  wait_for(7);
  if (thread() == 0) sum = 0;
  become(-1); call(EXIT, 5, 0, 0, 0); }
__attribute__((used)) void first(void) {
  void *own = thread(); make();
  for (int i = 0; i < 3; i++) { become(2 * i + 1); wait_for(2 * i + 2); __sync_fetch_and_add(&sum, 7); }
  become(7); wait_for(-1);
  if (thread() != own) sum = 0;
  call(GROUP, sum, 0, 0, 0); }
#if defined(__s390x__)
__asm__(".globl _start; _start: aghi %r15,-160; brasl %r14,first");
#elif defined(__x86_64__)
__asm__(".globl _start; _start: call first");
#else
__asm__(".globl _start; _start: bl first");
#endif
