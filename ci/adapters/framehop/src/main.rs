//! The crate framehop as a reader of `.eh_frame` under test: a step from the registers and memory
//! of a question, by the line protocol (ci/readers.md).

use std::collections::HashMap;
use std::io::{BufRead, BufWriter, Write};
use std::process::ExitCode;

use framehop::aarch64::{CacheAarch64, PtrAuthMask, UnwindRegsAarch64, UnwinderAarch64};
use framehop::x86_64::{CacheX86_64, Reg, UnwindRegsX86_64, UnwinderX86_64};
use framehop::{ExplicitModuleSectionInfo, FrameAddress, MustNotAllocateDuringUnwind, Module, Unwinder};

/// The crate's version, which it does not export.
const VERSION: &str = "0.16.0";

const USAGE: u8 = 2;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words == ["--version"] {
        println!("framehop {VERSION}");
        return ExitCode::SUCCESS;
    }
    if words != ["sframe-answers-2"] {
        return ExitCode::from(USAGE);
    }
    std::panic::set_hook(Box::new(|info| {
        if let Some(place) = info.location() {
            let file = place.file().rsplit_once("/src/").map_or(place.file(), |(_, file)| file);
            eprintln!("at {file}:{}\n{info}", place.line());
        }
    }));
    let mut section = None;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let done = if words.first() == Some(&"section") {
            section = Section::read(&words);
            // Earlier answers are printed, whatever this one does.
            let told = out.flush();
            told.and_then(|()| writeln!(out, "{}", if section.is_some() { "read" } else { "refused" }))
        } else {
            let said = section.as_ref().and_then(|section| section.answer(&words)).unwrap_or_else(|| "err".to_owned());
            writeln!(out, "{said}")
        };
        if done.is_err() {
            return ExitCode::from(USAGE);
        }
    }
    ExitCode::SUCCESS
}

fn hex(word: &str) -> Option<u64> {
    u64::from_str_radix(word.strip_prefix("0x")?, 16).ok()
}

/// A section, as an unwinder of its architecture.
enum Section {
    Amd64(UnwinderX86_64<Vec<u8>, MustNotAllocateDuringUnwind>),
    Aarch64(UnwinderAarch64<Vec<u8>, MustNotAllocateDuringUnwind>),
}

impl Section {
    fn read(words: &[&str]) -> Option<Section> {
        let ["section", path, address, start, end, _, abi, _, rest @ ..] = words else { return None };
        let (address, start, end) = (hex(address)?, hex(start)?, hex(end)?);
        let eh_frame = std::fs::read(path).ok()?;
        let index = match rest {
            [path, address] => Some((hex(address)?, std::fs::read(path).ok()?)),
            _ => None,
        };
        let info = ExplicitModuleSectionInfo {
            base_svma: start,
            text_svma: Some(start..end),
            eh_frame_svma: Some(address..address + eh_frame.len() as u64),
            eh_frame: Some(eh_frame),
            eh_frame_hdr_svma: index.as_ref().map(|(address, bytes)| *address..address + bytes.len() as u64),
            eh_frame_hdr: index.map(|(_, bytes)| bytes),
            ..ExplicitModuleSectionInfo::default()
        };
        let module = Module::new("section".to_owned(), start..end, start, info);
        Some(match *abi {
            "amd64" => {
                let mut unwinder = UnwinderX86_64::new();
                unwinder.add_module(module);
                Section::Amd64(unwinder)
            }
            _ => {
                let mut unwinder = UnwinderAarch64::new();
                unwinder.add_module(module);
                Section::Aarch64(unwinder)
            }
        })
    }

    fn answer(&self, words: &[&str]) -> Option<String> {
        let pc = hex(words.first()?)?;
        // Where nothing describes the code it guesses, from registers that are not given.
        if words.len() == 1 {
            return Some("none".to_owned());
        }
        let (mut registers, mut memory) = (HashMap::<u16, u64>::new(), HashMap::<u64, u64>::new());
        for word in words.get(1..)? {
            let (name, value) = word.split_once('=')?;
            match name.strip_prefix('@') {
                Some(address) => memory.insert(hex(address)?, hex(value)?),
                None => registers.insert(name.strip_prefix('r')?.parse().ok()?, hex(value)?),
            };
        }
        let register = |number: u16| registers.get(&number).copied().unwrap_or(0);
        let mut read = |address: u64| memory.get(&address).copied().ok_or(());
        let at = FrameAddress::from_instruction_pointer(pc);
        let (said, sp, fp) = match self {
            Section::Amd64(unwinder) => {
                let mut regs = UnwindRegsX86_64::new(pc, register(7), register(6));
                let said = unwinder.unwind_frame(at, &mut regs, &mut CacheX86_64::<_>::new_in(), &mut read);
                (said, regs.sp(), regs.get(Reg::RBP))
            }
            Section::Aarch64(unwinder) => {
                let mask = PtrAuthMask::new_no_strip();
                let mut regs = UnwindRegsAarch64::new_with_ptr_auth_mask(mask, register(30), register(31), register(29));
                let said = unwinder.unwind_frame(at, &mut regs, &mut CacheAarch64::<_>::new_in(), &mut read);
                (said, regs.sp(), regs.fp())
            }
        };
        Some(match said {
            Ok(Some(caller)) => format!("caller {caller:#x} {sp:#x} {fp:#x}"),
            Ok(None) => "outer".to_owned(),
            Err(_) => "err".to_owned(),
        })
    }
}
