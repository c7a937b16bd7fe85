//! Each call as a program of each target would make it.

use super::*;
use crate::arch::target;
use crate::layout::{Access, Span};

/// A page of the program's own, for buffers.
const PAGE_AT: u64 = 0x10_0000;

struct Guest {
    abi: Abi,
    kernel: Kernel,
    // Dropped before the memory that it maps.
    engine: Engine,
    memory: Memory,
}

impl Guest {
    fn new(abi: Abi) -> Self {
        let engine = Engine::new(target(abi)).expect("a processor");
        let mut memory = Memory::new(64 << 20);
        memory.map(&engine, Span::uniform(PAGE_AT, 0x1000, Access::READ_WRITE)).expect("a page");
        Guest { abi, kernel: Kernel::new(abi, PAGE_AT + 0xf00), engine, memory }
    }

    fn call(&mut self, call: Call, arguments: &[u64]) -> i64 {
        let mut six = [0; 6];
        six[..arguments.len()].copy_from_slice(arguments);
        match self.kernel.serve(call, six, &self.engine, &mut self.memory) {
            Outcome::Result(value) => value as i64,
            other => panic!("{other:?}"),
        }
    }

    fn word(&self, address: u64) -> u64 {
        let bytes = self.memory.read(address, 8).expect("mapped");
        self.abi.facts().order.u64(bytes.try_into().expect("eight"))
    }

    fn put(&mut self, address: u64, words: &[u64]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| bytes_of(self.abi.facts().order, *word)).collect();
        assert!(self.memory.write(address, &bytes));
    }
}

fn each(check: impl Fn(Guest)) {
    Abi::ALL.into_iter().for_each(|abi| check(Guest::new(abi)));
}

#[test]
fn the_break_grows_in_zeroed_memory_and_never_falls() {
    each(|mut guest| {
        let start = guest.call(Call::Brk, &[0]);
        assert_eq!(start as u64, PAGE_AT + 0x1000, "the page after the image");
        let wish = start + 0x2_1000;
        assert_eq!(guest.call(Call::Brk, &[wish as u64]), wish);
        assert_eq!(guest.word(wish as u64 - 8), 0);
        assert_eq!(guest.call(Call::Brk, &[start as u64]), wish);
        assert_eq!(guest.call(Call::Brk, &[u64::MAX]), wish, "beyond the address space");
        assert_eq!(guest.call(Call::Brk, &[wish as u64 + (1 << 30)]), wish, "beyond the limit of memory");
    });
}

#[test]
fn anonymous_memory_is_mapped_apart_and_unmapped_whole() {
    const ANONYMOUS_PRIVATE: u64 = 0x22;
    each(|mut guest| {
        let map = |guest: &mut Guest, length| guest.call(Call::Mmap, &[0, length, 3, ANONYMOUS_PRIVATE, u64::MAX, 0]);
        let (first, second) = (map(&mut guest, 5000), map(&mut guest, 1));
        assert!(first > 0 && second > 0 && second + 4096 <= first, "{first:#x} {second:#x}");
        assert_eq!(guest.word(first as u64 + 8184), 0);
        assert_eq!(guest.call(Call::Munmap, &[first as u64, 4096]), 0);
        assert!(guest.memory.read(first as u64, 1).is_some(), "a part is left alone");
        let epoch = guest.memory.epoch();
        assert_eq!(guest.call(Call::Munmap, &[first as u64, 8192]), 0);
        assert!(guest.memory.read(first as u64, 1).is_none() && guest.memory.epoch() > epoch);
        // The program's own memory is not taken away.
        assert_eq!(guest.call(Call::Munmap, &[PAGE_AT, 4096]), 0);
        assert!(guest.memory.read(PAGE_AT, 1).is_some());
        assert_eq!(map(&mut guest, 0), -22);
        assert_eq!(map(&mut guest, 1 << 40), -12);
        assert_eq!(map(&mut guest, u64::MAX), -22);
        assert_eq!(guest.call(Call::Mmap, &[0, 4096, 3, 2, 3, 0]), -9, "a file");
        assert_eq!(guest.call(Call::Mmap, &[PAGE_AT, 4096, 3, 0x32, 0, 0]), -22, "a fixed place");
    });
}

#[test]
fn mappings_are_bounded_in_number() {
    let mut guest = Guest::new(Abi::Amd64);
    let map = |guest: &mut Guest| guest.call(Call::Mmap, &[0, 4096, 3, 0x22, u64::MAX, 0]);
    let mapped = (0..2000).take_while(|_| map(&mut guest) > 0).count();
    assert_eq!(mapped, 1024);
    let mut guest = Guest::new(Abi::Amd64);
    let changes = (0..5000).take_while(|_| {
        let base = map(&mut guest);
        base > 0 && guest.call(Call::Munmap, &[base as u64, 4096]) == 0
    });
    assert_eq!(changes.count(), 4096);
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
fn output_is_counted_and_input_is_empty() {
    each(|mut guest| {
        assert_eq!(guest.call(Call::Write, &[1, PAGE_AT, 5]), 5);
        guest.put(PAGE_AT, &[PAGE_AT, 3, PAGE_AT, 40]);
        assert_eq!(guest.call(Call::Writev, &[2, PAGE_AT, 2]), 43);
        assert_eq!(guest.kernel.written(), 48);
        assert_eq!(guest.call(Call::Writev, &[2, PAGE_AT, 1025]), -22);
        assert_eq!(guest.call(Call::Writev, &[2, 0x5000, 1]), -14);
        assert_eq!(guest.call(Call::Write, &[0, PAGE_AT, 5]), -9);
        assert_eq!(guest.call(Call::Write, &[3, PAGE_AT, 5]), -9);
        assert_eq!(guest.call(Call::Read, &[0, PAGE_AT, 100]), 0);
        assert_eq!(guest.call(Call::Read, &[7, PAGE_AT, 100]), -9);
        assert_eq!(guest.call(Call::Ioctl, &[1, 0x5401, PAGE_AT]), -25);
        assert_eq!(guest.call(Call::Lseek, &[1, 0, 0]), -29);
        assert_eq!(guest.call(Call::Fcntl, &[1, 3]), 2);
        assert_eq!(guest.call(Call::NoSuchFile, &[PAGE_AT]), -2);
    });
}

#[test]
fn the_standard_files_are_terminals() {
    each(|mut guest| {
        // Fill beyond the structure, to see that no more is written.
        let (size, mode_at) = match guest.abi {
            Abi::Amd64 | Abi::S390x => (144, 24),
            Abi::Aarch64 | Abi::Aarch64Be => (128, 16),
        };
        guest.put(PAGE_AT, &[u64::MAX; 24]);
        assert_eq!(guest.call(Call::Fstat, &[1, PAGE_AT]), 0);
        assert_eq!(guest.word(PAGE_AT + size), u64::MAX);
        assert_eq!(guest.word(PAGE_AT + size - 8), 0);
        let word = guest.word(PAGE_AT + mode_at);
        let mode = if guest.abi.facts().order == ByteOrder::Big { word >> 32 } else { word & 0xffff_ffff };
        assert_eq!(mode, 0o020_620);
        assert_eq!(guest.call(Call::Fstat, &[5, PAGE_AT]), -9);
        assert_eq!(guest.call(Call::Fstat, &[1, PAGE_AT + 0xff0]), -14);
        // newfstatat with an empty path and AT_EMPTY_PATH is fstat.
        guest.put(PAGE_AT + 0x800, &[0]);
        assert_eq!(guest.call(Call::Newfstatat, &[1, PAGE_AT + 0x800, PAGE_AT, 0x1000]), 0);
        assert_eq!(guest.call(Call::Newfstatat, &[1, PAGE_AT + 0x800, PAGE_AT, 0]), -2);
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
        assert_eq!(guest.call(Call::Getcwd, &[PAGE_AT, 1]), -22);
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
fn signals_are_taken_note_of_and_one_that_is_sent_ends_the_program() {
    each(|mut guest| {
        guest.put(PAGE_AT, &[u64::MAX; 5]);
        assert_eq!(guest.call(Call::Sigaction, &[2, 0, PAGE_AT, 8]), 0);
        assert_eq!((guest.word(PAGE_AT + 24), guest.word(PAGE_AT + 32)), (0, u64::MAX));
        assert_eq!(guest.call(Call::Sigprocmask, &[0, 0, PAGE_AT + 32, 8]), 0);
        assert_eq!(guest.word(PAGE_AT + 32), 0);
        guest.put(PAGE_AT, &[0x40_0000]);
        assert_eq!(guest.call(Call::Sigaction, &[2, PAGE_AT, 0, 8]), 0);
        // `abort` ends the program; a signal with a handler is not served.
        let mut send = |call, arguments| guest.kernel.serve(call, arguments, &guest.engine, &mut guest.memory);
        assert_eq!(send(Call::Tgkill, [1, 1, 6, 0, 0, 0]), Outcome::Exit(134));
        assert_eq!(send(Call::Kill, [1, 6, 0, 0, 0, 0]), Outcome::Exit(134));
        assert_eq!(send(Call::Tgkill, [1, 1, 2, 0, 0, 0]), Outcome::Unserved);
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

#[test]
fn numbers_mean_the_same_calls_on_every_target() {
    // Linux: syscall_64.tbl, asm-generic/unistd.h, s390 syscall.tbl.
    let table = [
        (Call::Exit, [60, 93, 1]),
        (Call::Exit, [231, 94, 248]),
        (Call::Write, [1, 64, 4]),
        (Call::Brk, [12, 214, 45]),
        (Call::Munmap, [11, 215, 91]),
        (Call::Newfstatat, [262, 79, 293]),
        (Call::Getrandom, [318, 278, 349]),
        (Call::Prlimit, [302, 261, 334]),
        (Call::Sigaction, [13, 134, 174]),
        (Call::Kill, [62, 129, 37]),
        (Call::Tgkill, [234, 131, 241]),
        (Call::Returns(1), [218, 96, 252]),
        (Call::Returns(-38), [334, 293, 383]),
    ];
    for (call, [amd64, aarch64, s390x]) in table {
        assert_eq!(amd64::call(amd64), Some(call));
        assert_eq!(aarch64::call(aarch64), Some(call));
        assert_eq!(s390x::call(s390x), Some(call));
    }
    assert_eq!(
        (amd64::call(9), aarch64::call(222), s390x::call(90)),
        (Some(Call::Mmap), Some(Call::Mmap), Some(Call::MmapStruct))
    );
    for number in [u64::MAX, 9999] {
        assert_eq!((amd64::call(number), aarch64::call(number), s390x::call(number)), (None, None, None));
    }
}
