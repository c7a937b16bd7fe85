//! The crate framehop as a reader of `.eh_frame` under test: a step from the registers and memory
//! of a question, by the line protocol (ci/readers.md).

use std::collections::HashMap;
use std::io::{BufRead, BufWriter, Write};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

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
    let mut asked: Vec<Question> = Vec::new();
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let done = if words.first() == Some(&"section") {
            section = Section::read(&words);
            asked.clear();
            // Earlier answers are printed, whatever this one does.
            let flushed = out.flush();
            flushed.and_then(|()| writeln!(out, "{}", if section.is_some() { "read" } else { "refused" }))
        } else if let ["time", passes] = *words.as_slice() {
            let took = section.as_ref().zip(passes.parse().ok()).and_then(|(section, passes)| section.time(&asked, passes));
            match took {
                Some(took) => writeln!(out, "time {}", took.as_nanos()),
                None => writeln!(out, "err"),
            }
        } else {
            let question = Question::parse(&words);
            let answer = section.as_ref().zip(question.as_ref()).map(|(section, question)| section.answer(question));
            asked.extend(question);
            writeln!(out, "{}", answer.unwrap_or_else(|| "err".to_owned()))
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

    fn answer(&self, question: &Question) -> String {
        // Where nothing describes the code it guesses, from registers that are not given.
        if !question.has_state {
            return "none".to_owned();
        }
        let (caller, sp, fp) = match self {
            Section::Amd64(unwinder) => {
                let (caller, regs) = amd64(unwinder, question, &mut CacheX86_64::<_>::new_in());
                (caller, regs.sp(), regs.get(Reg::RBP))
            }
            Section::Aarch64(unwinder) => {
                let (caller, regs) = aarch64(unwinder, question, &mut CacheAarch64::<_>::new_in());
                (caller, regs.sp(), regs.fp())
            }
        };
        match caller {
            Ok(Some(caller)) => format!("caller {caller:#x} {sp:#x} {fp:#x}"),
            Ok(None) => "outer".to_owned(),
            Err(_) => "err".to_owned(),
        }
    }

    /// Time of the fastest of some passes over questions, with one cache for all: the first pass
    /// fills it.
    fn time(&self, questions: &[Question], passes: u32) -> Option<Duration> {
        let mut amd64_cache = CacheX86_64::<_>::new_in();
        let mut aarch64_cache = CacheAarch64::<_>::new_in();
        let pass = |_| {
            let began = Instant::now();
            for question in questions {
                match self {
                    Section::Amd64(unwinder) => drop(black_box(amd64(unwinder, question, &mut amd64_cache))),
                    Section::Aarch64(unwinder) => drop(black_box(aarch64(unwinder, question, &mut aarch64_cache))),
                }
            }
            began.elapsed()
        };
        (0..passes).map(pass).min()
    }
}

/// PC, registers and memory.
struct Question {
    pc: u64,
    has_state: bool,
    registers: HashMap<u16, u64>,
    memory: HashMap<u64, u64>,
}

impl Question {
    fn parse(words: &[&str]) -> Option<Question> {
        let (mut registers, mut memory) = (HashMap::new(), HashMap::new());
        for word in words.get(1..)? {
            let (name, value) = word.split_once('=')?;
            match name.strip_prefix('@') {
                Some(address) => memory.insert(hex(address)?, hex(value)?),
                None => registers.insert(name.strip_prefix('r')?.parse().ok()?, hex(value)?),
            };
        }
        Some(Question { pc: hex(words.first()?)?, has_state: words.len() > 1, registers, memory })
    }

    fn register(&self, number: u16) -> u64 {
        self.registers.get(&number).copied().unwrap_or(0)
    }

    fn read(&self, address: u64) -> Result<u64, ()> {
        self.memory.get(&address).copied().ok_or(())
    }
}

type Said = Result<Option<u64>, framehop::Error>;

fn amd64(
    unwinder: &UnwinderX86_64<Vec<u8>, MustNotAllocateDuringUnwind>,
    question: &Question,
    cache: &mut CacheX86_64<MustNotAllocateDuringUnwind>,
) -> (Said, UnwindRegsX86_64) {
    let at = FrameAddress::from_instruction_pointer(question.pc);
    let mut regs = UnwindRegsX86_64::new(question.pc, question.register(7), question.register(6));
    (unwinder.unwind_frame(at, &mut regs, cache, &mut |address| question.read(address)), regs)
}

fn aarch64(
    unwinder: &UnwinderAarch64<Vec<u8>, MustNotAllocateDuringUnwind>,
    question: &Question,
    cache: &mut CacheAarch64<MustNotAllocateDuringUnwind>,
) -> (Said, UnwindRegsAarch64) {
    let at = FrameAddress::from_instruction_pointer(question.pc);
    let mask = PtrAuthMask::new_no_strip();
    let [lr, sp, fp] = [30, 31, 29].map(|number| question.register(number));
    let mut regs = UnwindRegsAarch64::new_with_ptr_auth_mask(mask, lr, sp, fp);
    (unwinder.unwind_frame(at, &mut regs, cache, &mut |address| question.read(address)), regs)
}
