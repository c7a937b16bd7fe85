//! Programs with several threads, compiled from C: under both engines in lockstep, and under the
//! second engine alone.

use std::path::{Path, PathBuf};
use std::process::Command;

use backend::{Backend as _, Plan, Run};
use libtest_mimic::Failed;
use tempfile::TempDir;
use testing::samples;
use types::memo::NoMemo;
use types::{Abi, RunEnd, Step};

use crate::agree::{compare, second};

/// The compiler of each target, with options that include exclusive loads and stores: for small
/// programs without a C library, and large ones with a static one.
pub(crate) const COMPILERS: [(Abi, &str, &[&str]); 4] = [
    (Abi::Amd64, "cc", &[]),
    (Abi::Aarch64, "aarch64-linux-gnu-gcc", &["-mno-outline-atomics"]),
    (Abi::Aarch64Be, "aarch64-linux-gnu-gcc", &["-mno-outline-atomics", "-mbig-endian"]),
    (Abi::S390x, "s390x-linux-gnu-gcc", &[]),
];

/// Two threads that alternate by futexes, each with its own thread pointer; the status is 42 if
/// each saw all stores of the other.
const TURNS: &str = r#"
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
"#;

/// Threads of the C library: a mutex, a condition variable and thread-local storage.
const LIBRARY: &str = r#"
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready, sum;
static __thread int own;
static void *work(void *number) {
  own = (int)(long)number;
  for (int i = 0; i < 200; i++) own += i % 3;
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&condition, &mutex);
  sum += own;
  pthread_mutex_unlock(&mutex);
  return number; }
int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; i++) pthread_create(&threads[i], 0, work, (void *)i);
  pthread_mutex_lock(&mutex); ready = 1; pthread_cond_broadcast(&condition); pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  printf("%d\n", sum);
  return sum == 600 ? 42 : 1; }
"#;

/// Compiles a C text to a program, in a directory.
fn compiled(compiler: &str, options: &[&str], text: &str) -> Result<(TempDir, PathBuf), Failed> {
    let folder = tempfile::tempdir()?;
    let (source, program) = (folder.path().join("program.c"), folder.path().join("program"));
    std::fs::write(&source, text)?;
    match Command::new(compiler).args(options).arg("-o").arg(&program).arg(&source).status()?.success() {
        true => Ok((folder, program)),
        false => Err(format!("{compiler} failed").into()),
    }
}

/// Runs the programs to their exits under both engines, and under the second engine alone, each
/// with several thread schedules.
pub(crate) fn agree(abi: Abi, compiler: &str, options: &[&str]) -> Result<(), Failed> {
    let small = ["-O1", "-nostdlib", "-static", "-fno-pic", "-no-pie", "-fno-stack-protector"];
    let (_folder, program) = compiled(compiler, &[&small, options].concat(), TURNS)?;
    // The second schedule switches threads between a store and its use.
    follow(&program, 2, &[None, Some(22)])?;
    // There is no C library for big-endian AArch64.
    if samples::all() && abi != Abi::Aarch64Be {
        let (_folder, program) = compiled(compiler, &["-O1", "-static", "-pthread"], LIBRARY)?;
        follow(&program, 4, &[None, Some(1)])?;
    }
    Ok(())
}

fn follow(program: &Path, threads: u32, schedules: &[Option<u64>]) -> Result<(), Failed> {
    let bytes = std::fs::read(program)?;
    let image = elf::load("program", &bytes.clone().into())?;
    for schedule in schedules {
        let plan = Plan { schedule: *schedule, ..Plan::new(&image) };
        compare(&plan, &bytes)?;
        let mut seen = std::collections::BTreeSet::new();
        let mut note = |step: &Step<'_>| {
            seen.insert(step.thread);
        };
        let run = second(&bytes).run(&plan, &mut NoMemo(&mut note))?;
        match run {
            Run { end: RunEnd::Exit(42), threads: made, .. } if made == threads && seen.len() == threads as usize => {}
            run => return Err(format!("alone: {:?}, {} threads, {} seen", run.end, run.threads, seen.len()).into()),
        }
    }
    Ok(())
}
