//! Each system call as a program of each target would make it.

mod execute;
mod processes;
mod program;
mod threads;
mod waits;

use types::{Abi, ByteOrder, StopReason};

use crate::call::Call;
use crate::errno::Refusal;
use crate::kernel::Kernel;
use crate::memory::{Access, Memory};
use crate::signals::Cause;
use crate::world::{Given, World};
use program::{Pages, Processor};

/// A page of the program, for buffers.
const PAGE_AT: u64 = 0x10_0000;
const ANONYMOUS_PRIVATE: u64 = 0x22;

struct Guest {
    abi: Abi,
    kernel: Kernel,
    registers: Processor,
    memory: Pages,
}

impl Guest {
    fn new(abi: Abi) -> Self {
        let mut memory = Pages::default();
        memory.map(PAGE_AT, 0x1000, Access::READ_WRITE).expect("a page");
        let kernel = Kernel::new(abi, "program", &World::default(), PAGE_AT + 0xf00).expect("a kernel");
        Guest { abi, kernel, registers: Processor::default(), memory }
    }

    fn call(&mut self, call: Call, arguments: &[u64]) -> i64 {
        let mut six = [0; 6];
        six[..arguments.len()].copy_from_slice(arguments);
        match self.kernel.serve(call, six, &mut self.registers, &mut self.memory) {
            Ok(value) => value as i64,
            other => panic!("{other:?}"),
        }
    }

    /// Writes a path into memory, and returns its address.
    fn path(&mut self, path: &str) -> u64 {
        let at = PAGE_AT + 0x800;
        assert!(self.memory.write(at, &[path.as_bytes(), b"\0"].concat()));
        at
    }

    fn word(&self, address: u64) -> u64 {
        let bytes = self.memory.read(address, 8).expect("mapped");
        self.abi.facts().order.u64(bytes.try_into().expect("eight"))
    }

    fn put(&mut self, address: u64, words: &[u64]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| self.abi.facts().order.bytes_of(*word)).collect();
        assert!(self.memory.write(address, &bytes));
    }
}

fn each(check: impl Fn(Guest)) {
    Abi::ALL.into_iter().for_each(|abi| check(Guest::new(abi)));
}

#[test]
fn the_break_grows_and_falls_and_what_it_gives_is_zero() {
    each(|mut guest| {
        let start = guest.call(Call::Brk, &[0]);
        assert_eq!(start as u64, PAGE_AT + 0x1000, "the page after the image");
        // Twice the previously requested size, in more than one block.
        for wish in [start + 0x2_1000, start + 0x40_0008] {
            assert_eq!(guest.call(Call::Brk, &[wish as u64]), wish);
            assert_eq!(guest.word(wish as u64 - 8), 0);
            guest.put(wish as u64 - 8, &[7]);
        }
        let whole = vec![1; 0x40_0000];
        assert!(guest.memory.write(start as u64, &whole), "across blocks");
        assert!(guest.memory.copy(start as u64, whole.len()) == Some(whole));
        let wish = start + 0x2_1000;
        assert_eq!(guest.call(Call::Brk, &[wish as u64]), wish);
        assert_eq!(guest.call(Call::Brk, &[u64::MAX]), wish, "beyond the address space");
        assert_eq!(guest.call(Call::Brk, &[wish as u64 + (1 << 30)]), wish, "beyond the limit of memory");
        assert_eq!(guest.call(Call::Brk, &[wish as u64 + 8]), wish + 8);
        assert_eq!(guest.word(wish as u64), 0);
    });
}

#[test]
fn anonymous_memory_is_mapped_apart_and_unmapped_by_pages() {
    each(|mut guest| {
        let map = |guest: &mut Guest, length| guest.call(Call::Mmap, &[0, length, 3, ANONYMOUS_PRIVATE, u64::MAX, 0]);
        let (first, second) = (map(&mut guest, 5000), map(&mut guest, 1));
        assert!(first > 0 && second > 0 && second + 4096 <= first, "{first:#x} {second:#x}");
        assert_eq!(guest.word(first as u64 + 8184), 0);
        assert_eq!(guest.call(Call::Munmap, &[first as u64, 4096]), 0);
        assert!(guest.memory.read(first as u64, 1).is_none() && guest.memory.read(first as u64 + 4096, 1).is_some());
        assert_eq!(guest.call(Call::Munmap, &[first as u64, 8192]), 0);
        assert!(guest.memory.read(first as u64 + 4096, 1).is_none());
        // Memory that the program did not map itself is not unmapped.
        assert_eq!(guest.call(Call::Munmap, &[PAGE_AT, 4096]), 0);
        assert!(guest.memory.read(PAGE_AT, 1).is_some());
        assert_eq!(map(&mut guest, 0), -22);
        assert_eq!(map(&mut guest, 1 << 40), -12);
        assert_eq!(map(&mut guest, u64::MAX), -22);
        assert_eq!(guest.call(Call::Mmap, &[0, 4096, 3, 2, 7, 0]), -9, "no such file");
        assert_eq!(guest.call(Call::Mmap, &[0, 4096, 3, 2, 1, 0]), -19, "what cannot be mapped");
        for place in [PAGE_AT, PAGE_AT + 1, 1 << 47] {
            assert_eq!(guest.call(Call::Mmap, &[place, 4096, 3, 0x32, 0, 0]), -22, "not there");
        }
        assert_eq!(guest.call(Call::Mmap, &[PAGE_AT, 4096, 3, 0x10_0022, 0, 0]), -17, "only if it is free");
    });
}

/// Programs reserve far more addresses than they use.
#[test]
fn pages_without_access_take_no_memory() {
    each(|mut guest| {
        let base = guest.call(Call::Mmap, &[0, 1 << 38, 0, ANONYMOUS_PRIVATE, u64::MAX, 0]) as u64;
        assert!(guest.memory.read(base, 1).is_none());
        assert_eq!(guest.call(Call::Mprotect, &[base + 0x4000, 0x2000, 3]), 0);
        assert_eq!((guest.word(base + 0x5ff8), guest.memory.read(base + 0x6000, 1)), (0, None));
        assert_eq!(guest.call(Call::Mmap, &[base + 0x4000, 0x1000, 0, 0x32, u64::MAX, 0]) as u64, base + 0x4000);
        assert_eq!((guest.memory.read(base + 0x4000, 1), guest.word(base + 0x5000)), (None, 0));
        // The next mapping is not inside the reserved range, neither before nor after that is
        // unmapped.
        let next = guest.call(Call::Mmap, &[0, 4096, 3, ANONYMOUS_PRIVATE, u64::MAX, 0]) as u64;
        assert_eq!(next, base - 4096);
        assert_eq!(guest.call(Call::Munmap, &[base, 1 << 38]), 0);
        assert!(guest.memory.read(base + 0x5000, 1).is_none());
    });
}

#[test]
fn mappings_are_bounded_in_number() {
    let mut guest = Guest::new(Abi::Amd64);
    let map = |guest: &mut Guest| guest.call(Call::Mmap, &[0, 4096, 3, ANONYMOUS_PRIVATE, u64::MAX, 0]);
    let mapped = (0..5000).take_while(|_| map(&mut guest) > 0).count();
    // The test's own page is a mapping too.
    assert_eq!(mapped, 1023);
}

#[test]
fn mmap_of_s390x_takes_its_arguments_from_memory() {
    let mut guest = Guest::new(Abi::S390x);
    guest.put(PAGE_AT, &[0, 8192, 3, 0x22, u64::MAX, 0]);
    let base = guest.call(Call::MmapStruct, &[PAGE_AT]);
    assert!(base > 0);
    assert_eq!(guest.word(base as u64 + 8184), 0);
    assert_eq!(guest.call(Call::MmapStruct, &[0x5000]), -14);
}

#[test]
fn output_is_kept_up_to_a_limit_and_input_is_empty() {
    each(|mut guest| {
        guest.memory.write(PAGE_AT, b"hello");
        assert_eq!(guest.call(Call::Write, &[1, PAGE_AT, 5]), 5);
        guest.put(PAGE_AT + 16, &[PAGE_AT, 3, PAGE_AT, 2]);
        assert_eq!(guest.call(Call::Writev, &[2, PAGE_AT + 16, 2]), 5);
        assert_eq!(guest.call(Call::Writev, &[2, PAGE_AT, 1025]), -22);
        assert_eq!(guest.call(Call::Writev, &[2, 0x5000, 1]), -14);
        assert_eq!(guest.call(Call::Write, &[1, 0x5000, 5]), -14);
        assert_eq!(guest.call(Call::Write, &[0, PAGE_AT, 5]), -9);
        assert_eq!(guest.call(Call::Write, &[3, PAGE_AT, 5]), -9);
        assert_eq!(guest.call(Call::Read, &[0, PAGE_AT, 100]), 0);
        assert_eq!(guest.call(Call::Read, &[1, PAGE_AT, 100]), -9);
        assert_eq!(guest.call(Call::Read, &[7, PAGE_AT, 100]), -9);
        assert_eq!(guest.call(Call::Ioctl, &[1, 0x5401, PAGE_AT]), -25);
        assert_eq!(guest.call(Call::Lseek, &[1, 0, 0]), -29);
        assert_eq!(guest.call(Call::Fcntl, &[1, 3]), 1);
        let base = guest.call(Call::Mmap, &[0, 2 << 20, 3, ANONYMOUS_PRIVATE, u64::MAX, 0]) as u64;
        assert_eq!(guest.call(Call::Write, &[1, base, 2 << 20]), 2 << 20);
        assert_eq!(guest.kernel.files.written(), 10 + (2 << 20));
        let kept = guest.kernel.files.take_output();
        assert_eq!((kept.get(..11), kept.len()), (Some(&b"hellohelhe\0"[..]), 1 << 20));
    });
}

#[test]
fn paths_and_links_have_ends() {
    each(|mut guest| {
        let here = -100i64 as u64;
        let open = |guest: &mut Guest, path: &str| {
            let at = guest.path(path);
            guest.call(Call::Openat, &[here, at, 0, 0])
        };
        assert_eq!(open(&mut guest, ""), -2);
        assert_eq!(open(&mut guest, &"n".repeat(256)), -36);
        assert_eq!(open(&mut guest, "/tmp/../../dev/./null"), 3);
        assert_eq!(open(&mut guest, "/dev/null/"), -20);
        assert_eq!(guest.call(Call::Openat, &[here, 0x5000, 0, 0]), -14);
        let mapped = guest.call(Call::Mmap, &[0, 8192, 3, ANONYMOUS_PRIVATE, u64::MAX, 0]) as u64;
        guest.memory.write(mapped, &[b'/'; 8192]);
        assert_eq!(guest.call(Call::Openat, &[here, mapped, 0, 0]), -36, "no end within 4096 bytes");
        assert_eq!(guest.call(Call::Openat, &[here, mapped + 8192 - 8, 0, 0]), -14, "no end in memory");
        // A symbolic link to itself.
        let path = guest.path("/tmp/loop");
        assert_eq!(guest.call(Call::Symlink, &[path, path]), 0);
        assert_eq!(open(&mut guest, "/tmp/loop/x"), -40);
        // A directory moved into itself.
        guest.memory.write(PAGE_AT, b"/tmp/new\0");
        let folder = guest.path("/tmp");
        assert_eq!(guest.call(Call::Rename, &[folder, PAGE_AT]), -22);
    });
}

#[test]
fn files_that_are_absent_are_kept_by_path() {
    each(|mut guest| {
        for path in ["/a", "/b/c", "/a", "/d", "/e"] {
            let path = guest.path(path);
            assert_eq!(guest.call(Call::Openat, &[-100i64 as u64, path, 0]), -2);
        }
        let made = guest.path("/made");
        assert!(guest.call(Call::Openat, &[-100i64 as u64, made, 0o100]) >= 0);
        let absent = guest.kernel.files.take_absent();
        assert_eq!((absent.count, absent.last), (5, ["/b/c", "/a", "/d", "/e"].map(String::from).to_vec()));
        for number in 0..70 {
            let path = guest.path(&format!("/{number}"));
            guest.call(Call::Openat, &[-100i64 as u64, path, 0]);
        }
        let absent = guest.kernel.files.take_absent();
        assert_eq!((absent.count, absent.last.len(), absent.last[0].as_str()), (70, 64, "/6"));
    });
}

#[test]
fn a_descriptor_has_names() {
    each(|mut guest| {
        assert_eq!(guest.call(Call::Pipe, &[PAGE_AT]), 0);
        let open = |guest: &mut Guest, path: &str, flags| {
            let at = guest.path(path);
            guest.call(Call::Openat, &[-100i64 as u64, at, flags])
        };
        assert_eq!((open(&mut guest, "/dev/fd/4", 1), open(&mut guest, "/proc/self/fd/3", 0)), (5, 6));
        assert_eq!((guest.call(Call::Write, &[5, PAGE_AT, 7]), guest.call(Call::Read, &[6, PAGE_AT, 9])), (7, 7));
        for path in ["/dev/fd/9", "/dev/fd/x", "/dev/fd/../../etc/passwd", "/proc/self/fd/"] {
            assert_eq!(open(&mut guest, path, 0), -2, "{path}");
        }
        guest.memory.write(PAGE_AT, b"err");
        let error = open(&mut guest, "/dev/stderr", 1) as u64;
        assert_eq!(
            (guest.call(Call::Write, &[error, PAGE_AT, 3]), guest.kernel.files.take_output()),
            (3, b"err".to_vec())
        );
        let path = guest.path("/dev/fd/3");
        assert_eq!(guest.call(Call::Access, &[path, 0]), 0);
    });
}

#[test]
fn descriptors_and_files_are_bounded() {
    [Abi::S390x].map(Guest::new).into_iter().for_each(|mut guest| {
        let path = guest.path("/tmp/file");
        let opened = (0..2000).map(|_| guest.call(Call::Open, &[path, 0o102, 0o600])).take_while(|fd| *fd >= 0);
        assert_eq!(opened.count(), 1021);
        assert_eq!(guest.call(Call::Ftruncate, &[3, 256 << 20]), 0);
        assert_eq!(guest.call(Call::Ftruncate, &[3, (256 << 20) + 1]), -28);
        assert_eq!(guest.call(Call::Pwrite, &[3, PAGE_AT, 1, 256 << 20]), -28);
        assert_eq!(guest.call(Call::Ftruncate, &[3, u64::MAX]), -28);
        assert_eq!(guest.call(Call::Ftruncate, &[3, 0]), 0);
    });
}

#[test]
fn what_the_user_gives_has_to_have_a_place() {
    let given = |path: &str| Given { path: path.to_owned(), bytes: b"x"[..].into() };
    let world = |paths: &[&str]| World { files: paths.iter().map(|path| given(path)).collect(), ..World::default() };
    let reason = |paths: &[&str]| world(paths).check().expect_err("refused").reason;
    assert_eq!(world(&["a/b", "/a/c", "./tmp//d"]).check(), Ok(()));
    assert_eq!(reason(&["a", "/a"]), "the path exists already");
    assert_eq!(reason(&["a", "a/b"]), "its parent is not a folder");
    assert_eq!(reason(&["/"]), "it is not a file name");
    assert_eq!(reason(&["/a/../b"]), "its path has `..` in it");
    for abi in Abi::ALL {
        assert!(Kernel::new(abi, "program", &world(&["a", "/a"]), 0).is_err());
    }
}

/// Numbers from POSIX and Linux, also in big-endian order.
#[test]
fn structures_are_in_the_byte_order_of_the_target() {
    each(|mut guest| {
        let little = guest.abi.facts().order == ByteOrder::Little;
        // Fills memory after `struct stat`, to check that no more is written.
        let (size, mode_at) = match guest.abi {
            Abi::Amd64 | Abi::S390x => (144, 24),
            Abi::Aarch64 | Abi::Aarch64Be => (128, 16),
        };
        guest.put(PAGE_AT, &[u64::MAX; 24]);
        assert_eq!(guest.call(Call::Fstat, &[1, PAGE_AT]), 0);
        assert_eq!((guest.word(PAGE_AT + size), guest.word(PAGE_AT + size - 8)), (u64::MAX, 0));
        let word = guest.word(PAGE_AT + mode_at);
        assert_eq!(if little { word & 0xffff_ffff } else { word >> 32 }, 0o010_600, "a pipe");
        assert_eq!(guest.call(Call::Fstat, &[5, PAGE_AT]), -9);
        assert_eq!(guest.call(Call::Fstat, &[1, PAGE_AT + 0xff0]), -14);
        // The ends of a pipe, and `struct pollfd` with its 16-bit fields.
        assert_eq!(guest.call(Call::Pipe2, &[PAGE_AT, 0]), 0);
        assert_eq!(guest.word(PAGE_AT), if little { 4 << 32 | 3 } else { 3 << 32 | 4 });
        guest.put(PAGE_AT, &[if little { 4 << 32 | 4 } else { 4 << 32 | 4 << 16 }]);
        assert_eq!(guest.call(Call::Poll, &[PAGE_AT, 1, 0]), 1);
        let entry = guest.word(PAGE_AT);
        assert_eq!(if little { entry >> 48 } else { entry & 0xffff }, 4);
    });
}

#[test]
fn answers_about_the_process_repeat() {
    each(|mut guest| {
        assert_eq!(guest.call(Call::Uname, &[PAGE_AT]), 0);
        assert_eq!(guest.memory.read(PAGE_AT, 6), Some(&b"Linux\0"[..]));
        assert_eq!(guest.memory.read(PAGE_AT + 390, 1), Some(&[0][..]));
        assert_eq!(guest.call(Call::Getcwd, &[PAGE_AT, 100]), 2);
        assert_eq!(guest.memory.read(PAGE_AT, 2), Some(&b"/\0"[..]));
        assert_eq!(guest.call(Call::Getcwd, &[PAGE_AT, 1]), -34);
        assert_eq!(guest.call(Call::Prlimit, &[0, 3, 0, PAGE_AT]), 0);
        assert_eq!((guest.word(PAGE_AT), guest.word(PAGE_AT + 8)), (8 << 20, u64::MAX));
        assert_eq!(guest.call(Call::Sysinfo, &[PAGE_AT]), 0);
        assert_eq!((guest.word(PAGE_AT + 32), guest.word(PAGE_AT + 40)), (1 << 30, 1 << 29));
        assert_eq!(guest.call(Call::Getrandom, &[PAGE_AT, 20, 0]), 20);
        let bytes = guest.memory.read(PAGE_AT, 20).map(<[u8]>::to_vec);
        let mut again = Guest::new(guest.abi);
        again.call(Call::Getrandom, &[PAGE_AT, 20, 0]);
        assert_eq!(again.memory.read(PAGE_AT, 20).map(<[u8]>::to_vec), bytes);
        assert_ne!(bytes, Some(vec![0; 20]));
        assert_eq!(guest.call(Call::Getrandom, &[PAGE_AT, 1 << 30, 0]), 256, "may give less");
    });
}

#[test]
fn time_goes_on_from_look_to_look() {
    each(|mut guest| {
        guest.call(Call::ClockGettime, &[0, PAGE_AT]);
        guest.call(Call::ClockGettime, &[0, PAGE_AT + 16]);
        guest.call(Call::Gettimeofday, &[PAGE_AT + 32, 0]);
        let times = [0, 16, 32].map(|offset| (guest.word(PAGE_AT + offset), guest.word(PAGE_AT + offset + 8)));
        let second = 1_767_225_600;
        assert_eq!(guest.call(Call::Time, &[PAGE_AT + 64]), 1_767_225_600);
        assert_eq!((guest.word(PAGE_AT + 64), guest.call(Call::Time, &[0])), (second, 1_767_225_600));
        assert_eq!(times, [(second, 1_000_000), (second, 2_000_000), (second, 3_000)]);
    });
}

#[test]
fn a_signal_that_is_sent_ends_the_program_or_waits_for_its_handler() {
    each(|mut guest| {
        guest.put(PAGE_AT, &[u64::MAX; 5]);
        assert_eq!(guest.call(Call::Sigaction, &[2, 0, PAGE_AT, 8]), 0);
        assert_eq!((guest.word(PAGE_AT + 24), guest.word(PAGE_AT + 32)), (0, u64::MAX));
        guest.put(PAGE_AT, &[0x40_0000]);
        assert_eq!(guest.call(Call::Sigaction, &[2, PAGE_AT, 0, 8]), 0);
        // `abort` terminates the program; a handler begins after the call.
        let mut send = |call, arguments| guest.kernel.serve(call, arguments, &mut guest.registers, &mut guest.memory);
        assert_eq!(send(Call::Tgkill, [1, 1, 6, 0, 0, 0]), Err(Refusal::Exit(134)));
        assert_eq!(send(Call::Kill, [1, 6, 0, 0, 0, 0]), Err(Refusal::Exit(134)));
        assert_eq!(send(Call::Tgkill, [1, 1, 2, 0, 0, 0]), Ok(0));
        let due = guest.kernel.process.signals.due().expect("a handler");
        assert_eq!((due.signal, due.action.handler, due.cause), (2, 0x40_0000, Cause::THREAD));
        assert_eq!(guest.kernel.process.signals.due(), None);
    });
}

#[test]
fn a_handler_blocks_what_its_action_says_until_it_ends() {
    const SIGINFO_RESTORER: u64 = 0x0400_0004;
    each(|mut guest| {
        let act = |guest: &mut Guest, signal, flags, mask| {
            guest.put(PAGE_AT, &[0x40_0000, SIGINFO_RESTORER | flags, 0x41_0000, mask]);
            assert_eq!(guest.call(Call::Sigaction, &[signal, PAGE_AT, 0, 8]), 0);
        };
        act(&mut guest, 10, 0, 0x2);
        act(&mut guest, 12, 0xc000_0000, 0);
        assert_eq!(guest.call(Call::Kill, &[1, 10]), 0);
        let first = guest.kernel.process.signals.due().expect("a handler");
        assert_eq!(guest.kernel.process.signals.own.mask_before(), 0);
        guest.kernel.process.signals.begin_handler(&first);
        // SIGUSR1 itself, and SIGINT of its mask.
        assert_eq!(guest.kernel.process.signals.own.mask_before(), 0x202);
        assert_eq!(guest.call(Call::Kill, &[1, 10]), 0);
        assert!(!guest.kernel.process.signals.has_due(), "blocked in its own handler");
        // SA_NODEFER and SA_RESETHAND.
        assert_eq!(guest.call(Call::Kill, &[1, 12]), 0);
        let second = guest.kernel.process.signals.due().expect("another");
        guest.kernel.process.signals.begin_handler(&second);
        assert_eq!((second.signal, guest.kernel.process.signals.own.mask_before()), (12, 0x202));
        assert_eq!(guest.kernel.process.signals.handled(), (0, 0x200));
        guest.kernel.process.signals.own.end_handler(0, None);
        assert_eq!(guest.kernel.process.signals.due().map(|due| due.signal), Some(10), "waited for the end");
    });
}

#[test]
fn a_call_that_waits_with_other_signals_blocked_ends_with_the_old_ones() {
    each(|mut guest| {
        guest.put(PAGE_AT, &[0x40_0000, 0, 0, 0]);
        assert_eq!(guest.call(Call::Sigaction, &[10, PAGE_AT, 0, 8]), 0);
        guest.put(PAGE_AT, &[0x200, 0]);
        assert_eq!(guest.call(Call::Sigprocmask, &[0, PAGE_AT, 0, 8]), 0);
        assert_eq!(guest.call(Call::Kill, &[1, 10]), 0);
        assert!(!guest.kernel.process.signals.has_due());
        assert_eq!(guest.call(Call::Sigsuspend, &[PAGE_AT + 8, 8]), -4, "EINTR");
        // The frame has the mask from before the call.
        assert_eq!(
            (guest.kernel.process.signals.has_due(), guest.kernel.process.signals.own.mask_before()),
            (true, 0x200)
        );
    });
}

#[test]
fn an_alternate_stack_is_told_and_refused_where_it_is_too_small() {
    each(|mut guest| {
        guest.put(PAGE_AT, &[0x7000_0000, 0, 0x4000]);
        assert_eq!(guest.call(Call::Sigaltstack, &[PAGE_AT, 0]), 0);
        assert_eq!(guest.call(Call::Sigaltstack, &[0, PAGE_AT + 64]), 0);
        assert_eq!((guest.word(PAGE_AT + 64), guest.word(PAGE_AT + 80)), (0x7000_0000, 0x4000));
        guest.put(PAGE_AT, &[0x7000_0000, 0, 0x100]);
        assert_eq!(guest.call(Call::Sigaltstack, &[PAGE_AT, 0]), -12, "ENOMEM");
    });
}

#[test]
fn the_thread_pointer_of_amd64_is_set_by_a_call() {
    let mut guest = Guest::new(Abi::Amd64);
    assert_eq!(guest.call(Call::ArchPrctl, &[0x1002, 0x1234_5678]), 0);
    assert_eq!(guest.call(Call::ArchPrctl, &[0x1003, PAGE_AT]), 0);
    assert_eq!(guest.word(PAGE_AT), 0x1234_5678);
    assert_eq!(guest.call(Call::ArchPrctl, &[0x3001, PAGE_AT]), -22);
}
