//! Executed code reaches no file, no network and no memory of the host (the crate `linux` gives the
//! reasons): every system call number of Linux, and some more, is called on every target with
//! arguments that would reach something if that were possible.

use std::fs;
use std::path::Path;

use crate::common::trace::words;
use crate::common::{CODE, DATA, RW, RX, image, load};
use machine::{End, Plan, Reason, run};
use types::{Abi, Image, Step};

/// One more than the highest system call number of Linux 6.12 on any target (`syscall_64.tbl`,
/// `unistd.h`: 466), with a margin.
const NUMBERS: u64 = 480;
/// One target for each table of numbers: AArch64 has the same in both byte orders.
const TARGETS: [Abi; 3] = [Abi::Amd64, Abi::Aarch64, Abi::S390x];
/// The exit status that shows that the call was served.
const SERVED: End = End::Exit(42);

/// Distance in bytes between the data of consecutive calls.
const APART: usize = 0x1000;

/// The arguments of a call, and a copy of the data that they point to.
#[derive(Clone)]
struct Arguments {
    values: [u64; 6],
    data: Vec<u8>,
}

/// A program that makes the calls in order and exits with status 42. Their data begin at [`DATA`],
/// [`APART`] bytes apart.
fn caller(abi: Abi, number: u64, calls: &[Arguments]) -> Image {
    let code: Vec<u8> = calls.iter().flat_map(|call| one_call(abi, number, call.values)).chain(exit(abi)).collect();
    let mut data = vec![0; APART * calls.len()];
    for (place, call) in data.chunks_mut(APART).zip(calls) {
        place[..call.data.len()].copy_from_slice(&call.data);
    }
    image(abi, CODE, vec![load(CODE, RX, &code, code.len() as u64), load(DATA, RW, &data, 0x8000)])
}

/// The code of a call.
fn one_call(abi: Abi, number: u64, arguments: [u64; 6]) -> Vec<u8> {
    let values = [number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]];
    match abi {
        Abi::Amd64 => {
            // movabs to rax, rdi, rsi, rdx, r10, r8, r9; syscall
            let opcodes =
                [[0x48, 0xb8], [0x48, 0xbf], [0x48, 0xbe], [0x48, 0xba], [0x49, 0xba], [0x49, 0xb8], [0x49, 0xb9]];
            let set = |(opcode, value): ([u8; 2], u64)| [&opcode[..], &value.to_le_bytes()].concat();
            opcodes.into_iter().zip(values).flat_map(set).chain([0x0f, 0x05]).collect()
        }
        Abi::Aarch64 | Abi::Aarch64Be => {
            // movz and movk to x8 and x0 to x5; svc #0
            let part = |register: u32, value: u64, at: u32| {
                let opcode = if at == 0 { 0xd280_0000 } else { 0xf280_0000 };
                opcode | at << 21 | ((value >> (16 * at)) as u32 & 0xffff) << 5 | register
            };
            let set = |(register, value)| (0..4).map(move |at| part(register, value, at));
            let code = [8, 0, 1, 2, 3, 4, 5].into_iter().zip(values).flat_map(set).chain([0xd400_0001]);
            code.flat_map(u32::to_le_bytes).collect()
        }
        Abi::S390x => {
            // llihf and oilf to r1 to r7; svc 0
            let set = |(register, value): (u8, u64)| {
                let half = |form, half: u64| [&[0xc0, register << 4 | form][..], &(half as u32).to_be_bytes()].concat();
                [half(0xe, value >> 32), half(0xd, value)].concat()
            };
            (1..).zip(values).flat_map(set).chain([0x0a, 0]).collect()
        }
    }
}

/// The code that ends a program with status 42.
fn exit(abi: Abi) -> Vec<u8> {
    match abi {
        // mov $42,%edi; mov $60,%eax; syscall
        Abi::Amd64 => vec![0xbf, 42, 0, 0, 0, 0xb8, 60, 0, 0, 0, 0x0f, 0x05],
        // mov x0, #42; mov x8, #93; svc #0
        Abi::Aarch64 | Abi::Aarch64Be => {
            [0xd280_0540_u32, 0xd280_0ba8, 0xd400_0001].into_iter().flat_map(u32::to_le_bytes).collect()
        }
        // lghi %r2,42; svc 1
        Abi::S390x => vec![0xa7, 0x29, 0, 42, 0x0a, 1],
    }
}

/// The end of a program with one call, and the number of bytes that it wrote.
fn call(abi: Abi, number: u64, values: [u64; 6], data: &[u8]) -> (End, u64) {
    all_calls(abi, number, &[Arguments { values, data: data.to_vec() }])
}

fn all_calls(abi: Abi, number: u64, calls: &[Arguments]) -> (End, u64) {
    let image = caller(abi, number, calls);
    let plan = Plan { stack_size: 1 << 16, step_limit: 1000, ..Plan::new(&image) };
    let run = run(&plan, &mut |_: &Step<'_>| {}).expect("loads");
    (run.end, run.written)
}

/// A private folder of the host, with a file that must not change.
struct Bait(tempfile::TempDir);

impl Bait {
    const CONTENT: &'static [u8] = b"of the host";

    fn new() -> Self {
        let bait = Bait(tempfile::tempdir().expect("a folder"));
        fs::write(bait.path("file"), Bait::CONTENT).expect("a file");
        bait
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    /// A path as a program passes it: its bytes and a zero.
    fn name(&self, name: &str) -> Vec<u8> {
        [self.path(name).to_str().expect("a path in UTF-8").as_bytes(), b"\0"].concat()
    }

    fn is_untouched(&self) -> bool {
        let names: Vec<_> =
            fs::read_dir(self.0.path()).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
        let read_only = |path: &Path| fs::metadata(path).is_ok_and(|meta| meta.permissions().readonly());
        let file = self.path("file");
        names == ["file"] && fs::read(&file).is_ok_and(|bytes| bytes == Bait::CONTENT) && !read_only(&file)
    }
}

/// The parts of the host that a call might reach.
struct Host {
    bait: Bait,
    open: fs::File,
    secret: Vec<u8>,
}

impl Host {
    fn new() -> Self {
        let bait = Bait::new();
        let open = fs::File::options().read(true).write(true).open(bait.path("file")).expect("opens");
        Host { bait, open, secret: vec![0x5a; 4096] }
    }

    /// Arguments that name something of the host in every position, with the data that they point
    /// to: the path of an existing file and of one that does not exist, with flags that create,
    /// truncate and write; an open descriptor of this process; an address of this process.
    fn arguments(&self, data: u64) -> [Arguments; 5] {
        use std::os::fd::AsRawFd as _;
        const CURRENT_FOLDER: u64 = -100i64 as u64;
        // O_RDWR
        // O_CREAT
        // O_TRUNC of the generic numbering; other flags on other targets.
        const FLAGS: u64 = 0o1102;
        // Both names, the second at offset 0x800.
        let mut names = self.bait.name("file");
        names.resize(0x800, 0);
        names.extend(self.bait.name("new"));
        let (there, new) = (data, data + 0x800);
        let descriptor = u64::try_from(self.open.as_raw_fd()).expect("a descriptor");
        let address = self.secret.as_ptr() as u64;
        [
            ([there, FLAGS, 0o600, new, 0, 0], names.clone()),
            ([CURRENT_FOLDER, new, FLAGS, 0o600, 0, 0], names),
            ([descriptor, data, 4, 0, 0, 0], b"made by the guest".to_vec()),
            ([address, 64, 0, address, 0, 0], Vec::new()),
            ([1, address, address, address, 8, 0], Vec::new()),
        ]
        .map(|(values, data)| Arguments { values, data })
    }

    #[track_caller]
    fn assert_untouched(&self, what: &str) {
        assert!(self.bait.is_untouched(), "{what}: the folder");
        let length = self.open.metadata().map(|meta| meta.len()).expect("still open");
        assert_eq!(length, Bait::CONTENT.len() as u64, "{what}: the open file");
        assert!(self.secret.iter().all(|byte| *byte == 0x5a), "{what}: memory");
    }
}

/// Every number with all arguments if the call is served, in one program in which each call
/// returns. A call that is not served ends the run with any arguments, and gets only one set.
#[test]
fn no_call_reaches_what_the_host_has() {
    let host = Host::new();
    for abi in TARGETS {
        let mut served = 0;
        for number in 0..NUMBERS {
            let nth = |at: u64| host.arguments(DATA + at * APART as u64)[((number + at) % 5) as usize].clone();
            let calls: Vec<Arguments> = (0..5).map(nth).collect();
            let (end, written) = all_calls(abi, number, &calls);
            host.assert_untouched(&format!("{abi}: call {number}"));
            let first = CODE..CODE + one_call(abi, number, calls[0].values).len() as u64;
            let waits = matches!(end, End::Undecided { reason: Reason::WaitsForever, .. });
            if end == SERVED && written == 0 {
                served += 1;
            } else if !waits && !is_served(abi, number, &end) {
                let End::Undecided { pc, .. } = end else { panic!("{abi}: {end:?}") };
                assert!(first.contains(&pc.0), "{abi}: call {number} is served as it is called");
            } else {
                served += 1;
                one_by_one(abi, number, &host);
            }
        }
        assert!(served >= 120, "{abi}: {served} calls are served");
    }
}

/// Tests the argument sets one by one, for a call that ends the program for some of them, or that
/// wrote.
fn one_by_one(abi: Abi, number: u64, host: &Host) {
    for Arguments { values, data } in host.arguments(DATA) {
        let (end, written) = call(abi, number, values, &data);
        // Only standard output, which is dropped.
        assert!(written == 0 || values[0] == 1, "{abi}: call {number} wrote to a file that the program did not open");
        host.assert_untouched(&format!("{abi}: call {number}"));
        let waits = matches!(end, End::Undecided { reason: Reason::WaitsForever, .. });
        assert!(waits || is_served(abi, number, &end), "{abi}: call {number} is served as it is called");
    }
}

/// Returns true if the call was served; false if it ended the run with its own number as the
/// reason.
#[track_caller]
fn is_served(abi: Abi, number: u64, end: &End) -> bool {
    match end {
        // An exit with another status, or signals 4 to 127 that a program may send to itself.
        End::Exit(_) => true,
        End::Undecided { reason: Reason::Syscall, message, .. } => {
            // s390x: `svc 0` with a number that does not fit the instruction.
            assert!(message.contains(&format!("system call {number} ")), "{abi}: {message}");
            false
        }
        // Calls that need another thread or process.
        End::Undecided { reason: Reason::Thread | Reason::NewProcess | Reason::WaitsForever, message, .. } => {
            assert!(message.contains(&format!("system call {number} ")), "{abi}: {message}");
            false
        }
        other => panic!("{abi}: call {number}: {other:?}"),
    }
}

/// Calls for processes, memory of other processes and kernel interfaces: none is served. No socket
/// family exists. Those newer than Linux 3.2 return ENOSYS.
#[test]
fn what_leads_out_of_the_process_ends_the_run() {
    // Numbers: syscall_64.tbl, asm-generic/unistd.h, s390 syscall.tbl.
    let table = [
        ("connect", [42, 203, 362]),
        ("bind", [49, 200, 361]),
        ("sendto", [44, 206, 369]),
        ("clone", [56, 220, 120]),
        ("ptrace", [101, 117, 26]),
        ("process_vm_readv", [310, 270, 340]),
        ("process_vm_writev", [311, 271, 341]),
        ("mount", [165, 40, 21]),
        ("io_uring_setup", [425, 425, 425]),
    ];
    for (name, [amd64, aarch64, s390x]) in table {
        for (abi, number) in
            [(Abi::Amd64, amd64), (Abi::Aarch64, aarch64), (Abi::Aarch64Be, aarch64), (Abi::S390x, s390x)]
        {
            let (end, _) = call(abi, number, [2, 1, 0, 0, 0, 0], &[]);
            let newer = number >= if abi == Abi::Amd64 { 312 } else { 342 };
            assert!(if newer { end == SERVED } else { !is_served(abi, number, &end) }, "{abi}: {name}");
        }
    }
}

/// Output to the standard files is counted and dropped.
#[test]
fn standard_output_goes_nowhere() {
    for (abi, write, socket) in
        [(Abi::Amd64, 1, 41), (Abi::Aarch64, 64, 198), (Abi::Aarch64Be, 64, 198), (Abi::S390x, 4, 359)]
    {
        assert_eq!(call(abi, socket, [2, 1, 0, 0, 0, 0], &[]), (SERVED, 0), "{abi}");
        assert_eq!(call(abi, write, [1, DATA, 5, 0, 0, 0], b"hello"), (SERVED, 5), "{abi}");
        // Output from an unmapped address.
        assert_eq!(call(abi, write, [2, 0x1234_5678_9000, 5, 0, 0, 0], &[]), (SERVED, 0), "{abi}");
    }
}

/// In other emulators semihosting gives a guest the host's files: SYS_OPEN (1) and SYS_WRITE0 (4)
/// by `hlt #0xf000` (Arm, "Semihosting for AArch32 and AArch64", 3.1).
#[test]
fn there_is_no_semihosting() {
    for abi in [Abi::Aarch64, Abi::Aarch64Be] {
        for operation in ["d2800020", "d2800080"] {
            // mov w0, #operation; movz x1, #DATA >> 16, lsl #16; hlt #0xf000
            let code = words(&format!("{operation} d2a00c01 d45e0000"));
            let image = image(abi, CODE, vec![load(CODE, RX, &code, 12), load(DATA, RW, b"/etc/passwd\0", 0x1000)]);
            let end = run(&Plan::new(&image), &mut |_: &Step<'_>| {}).expect("loads").end;
            let End::Undecided { reason, pc, .. } = end else { panic!("{end:?}") };
            assert!(
                matches!(reason, Reason::IllegalInstruction | Reason::Trap) && pc.0 == CODE + 8,
                "{reason} at {pc}"
            );
        }
    }
}
