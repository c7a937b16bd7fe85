//! Compares the frames of a kernel that runs under qemu-system with its ORC table: at each
//! instruction of a called function, the CFA by the table is compared with the shadow stack's; the
//! deepest stack is printed. Exit status 1 if they differ. Debian's Linux 6.1.192, one `read` of
//! `/proc/meminfo`: 22,186 steps, ORC agrees at 22,162, describes no call at 16, and differs at 8,
//! the returns of `__x86_indirect_thunk_rax`.
//!
//! usage: `kernel ADDRESS VMLINUX KALLSYMS FUNCTION [STEPS]`
//!
//! To boot Debian's Linux 6.1, which prints its symbols since its package has none (`vmlinux` is
//! the xz stream in `vmlinuz`, unpacked; `kallsyms.txt` the lines of `serial.txt` that begin with
//! an address):
//!
//! ```sh
//! apt-get install qemu-system-x86
//! apt-get download linux-image-6.1.0-56-amd64 && dpkg -x linux-image-*.deb linux
//! mkdir -p root/dev root/proc
//! cc -static -o root/init init.c
//! (cd root && mknod dev/console c 5 1 && find . | cpio -o -H newc | gzip) > initrd.gz
//! qemu-system-x86_64 -m 256 -display none -kernel linux/boot/vmlinuz-* \
//!     -initrd initrd.gz -serial file:serial.txt \
//!     -append 'console=ttyS0 nokaslr no_timer_check' -gdb tcp:127.0.0.1:1234
//! cargo run -p remote --example kernel -- 127.0.0.1:1234 vmlinux kallsyms.txt \
//!     __x64_sys_read 100000
//! ```
//!
//! `init.c`:
//!
//! ```c
//! #include <fcntl.h>
//! #include <stdio.h>
//! #include <sys/mount.h>
//! #include <unistd.h>
//! int main(void) {
//!   char line[4096];
//!   mount("proc", "/proc", "proc", 0, 0);
//!   FILE *symbols = fopen("/proc/kallsyms", "r");
//!   while (fgets(line, sizeof line, symbols))
//!     if ((line[17] | 32) == 't') fputs(line, stdout);
//!   for (fflush(stdout);; usleep(100000)) {
//!     int file = open("/proc/meminfo", 0);
//!     while (read(file, line, sizeof line) > 0) {}
//!     close(file);
//!   }
//! }
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::process::ExitCode;

use remote::UnderWay;
use types::{Abi, ImageSection, Reg, RunEnd, Step, Symbol};

/// The result of a comparison at a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Answer {
    Same,
    Other,
    /// The table describes no call: interrupt and system call entries, or nothing.
    NoCall,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, vmlinux, kallsyms, function, steps @ ..] = arguments.as_slice() else {
        return Err("usage: kernel ADDRESS VMLINUX KALLSYMS FUNCTION [STEPS]".into());
    };
    let functions = functions(&std::fs::read_to_string(kallsyms)?);
    let found = functions.iter().find(|symbol| symbol.name.to_string() == *function);
    let from = found.ok_or_else(|| format!("{kallsyms} has no {function}"))?.address;
    let image = elf::load(vmlinux, &std::fs::read(vmlinux)?.into())?;
    let orc = Orc::new(&image.sections).ok_or("no .orc_unwind and .orc_unwind_ip")?;
    let step_limit = steps.first().map_or(Ok(20_000), |steps| steps.parse())?;

    let mut answers: BTreeMap<Answer, u64> = BTreeMap::new();
    let mut others: BTreeMap<u64, u64> = BTreeMap::new();
    let mut deepest: Vec<u64> = Vec::new();
    let mut watch = |step: &Step<'_>| {
        let answer = match (orc.cfa(step), step.frames.innermost()) {
            (Some(cfa), Some(frame)) if cfa == frame.cfa => Answer::Same,
            (Some(_), Some(_)) => {
                *others.entry(step.pc.0).or_default() += 1;
                Answer::Other
            }
            (None, _) | (_, None) => Answer::NoCall,
        };
        *answers.entry(answer).or_default() += 1;
        if step.frames.depth() >= deepest.len() {
            let callers = step.frames.iter().map(|frame| frame.ra.0);
            deepest = [step.pc.0].into_iter().chain(callers).collect();
        }
    };
    let run = UnderWay { address, abi: Abi::Amd64, functions: &functions, from, step_limit }.follow(&mut watch)?;

    println!("{} steps from {function}, at most {} frames: {}", run.steps, run.max_depth, ended(&run.end));
    let count = |answer| answers.get(&answer).copied().unwrap_or_default();
    let [same, other, none] = [Answer::Same, Answer::Other, Answer::NoCall].map(count);
    println!("CFA by ORC: the same at {same} steps, another at {other}, no call described at {none}");
    println!("deepest stack:");
    for pc in deepest {
        println!("  {}", place(&functions, pc));
    }
    for (pc, steps) in &others {
        println!("another CFA at {}: {steps} steps", place(&functions, *pc));
    }
    Ok(if others.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn ended(end: &RunEnd) -> String {
    match end {
        RunEnd::Sentinel => "it returned".to_owned(),
        RunEnd::Exit(status) => format!("exit status {status}"),
        RunEnd::Halt(pc) => format!("halted at {:#x}", pc.0),
        RunEnd::Undecided { message, .. } => message.clone(),
    }
}

/// The functions in `/proc/kallsyms`; each extends to the next one.
fn functions(kallsyms: &str) -> Vec<Symbol> {
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let address = u64::from_str_radix(words.next()?, 16).ok()?;
        let is_text = words.next()?.eq_ignore_ascii_case("t");
        Some((address, words.next().filter(|_| is_text)?.to_owned()))
    };
    let mut all: Vec<(u64, String)> = kallsyms.lines().filter_map(line).collect();
    all.sort();
    let ends: Vec<u64> = all.iter().skip(1).map(|(address, _)| *address).collect();
    let symbol = |((address, name), end): ((u64, String), u64)| Symbol {
        name: name.as_str().into(),
        address,
        size: end - address,
        function: true,
        local: false,
        section: None,
    };
    all.into_iter().zip(ends).map(symbol).filter(|symbol| symbol.size > 0).collect()
}

fn place(functions: &[Symbol], pc: u64) -> String {
    match functions.iter().find(|symbol| (symbol.address..symbol.address + symbol.size).contains(&pc)) {
        Some(symbol) => format!("{pc:#x} {}+{:#x}", symbol.name, pc - symbol.address),
        None => format!("{pc:#x}"),
    }
}

/// A table of the ORC unwinder, as of Linux 6.1 (`arch/x86/include/asm/orc_types.h`): ascending
/// addresses, stored relative to themselves, and one entry of 6 bytes for each.
struct Orc {
    addresses: Vec<u64>,
    entries: Vec<[u8; 6]>,
}

impl Orc {
    fn new(sections: &[ImageSection]) -> Option<Orc> {
        let named = |name: &str| sections.iter().find(|section| section.name == name);
        let (addresses, entries) = (named(".orc_unwind_ip")?, named(".orc_unwind")?);
        let address = |(number, bytes): (usize, &[u8; 4])| {
            let at = addresses.address + 4 * number as u64;
            at.wrapping_add_signed(i32::from_le_bytes(*bytes).into())
        };
        Some(Orc {
            addresses: addresses.bytes.as_chunks().0.iter().enumerate().map(address).collect(),
            entries: entries.bytes.as_chunks().0.to_vec(),
        })
    }

    /// The CFA of the innermost frame; `None` if the entry describes no call.
    fn cfa(&self, step: &Step<'_>) -> Option<u64> {
        const CALL: u8 = 0;
        let after = self.addresses.partition_point(|address| *address <= step.pc.0);
        let [low, high, _, _, registers, kind] = *self.entries.get(after.checked_sub(1)?)?;
        let offset = i64::from(i16::from_le_bytes([low, high]));
        if kind & 3 != CALL {
            return None;
        }
        let register = |number| step.regs.others.read(Reg(number));
        // Registers have DWARF numbers here: RDX, RDI, RBP, RSP, R10, R13.
        Some(match registers & 15 {
            2 => register(1)?.wrapping_add_signed(offset),
            3 => register(5)?.wrapping_add_signed(offset),
            4 => register(6)?.wrapping_add_signed(offset),
            5 => register(7)?.wrapping_add_signed(offset),
            6 => register(10)?.wrapping_add_signed(offset),
            7 => register(13)?.wrapping_add_signed(offset),
            8 => step.stack.read(register(6)?.wrapping_add_signed(offset)).ok()?,
            9 => step.stack.read(register(7)?).ok()?.wrapping_add_signed(offset),
            _ => return None,
        })
    }
}
