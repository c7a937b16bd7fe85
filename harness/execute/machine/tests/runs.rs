//! Programs from `runs`: the true frames at each step, and how the run ends. The directives are
//! those of [`testing::sources`], and of [`KEYS`].
//!
//! The outcome has a line for each step that does not continue the one before it: address, number
//! of frames, event; addresses are relative to the first instruction.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::Path;

use libtest_mimic::Arguments;
use machine::{End, Plan, Start, VectorBits, run};
use testing::sources::{Built, trials};
use types::{Event, Frame, Image, Observer, Outermost, Pc, Reg, RegFile as _, Step, Symbol, ThreadId};

/// - `start`: `function` calls the first instruction from the sentinel; without it, a process
///   begins.
/// - `arguments`: those of the program.
/// - `function`: first address and first address after it of a function that has a symbol.
/// - `vector-bits`: the length of scalable vectors, if not 256.
/// - `steps`: the limit, if not 10,000.
/// - `show`: what else the outcome states: `every-step`, `frames` (the innermost one, where it
///   changes), `end` (only how the run ends), `registers=NUMBER,...` at the last step.
const KEYS: &[&str] = &["arguments", "function", "show", "start", "steps", "vector-bits"];

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runs");
    libtest_mimic::run(&Arguments::from_args(), trials(&folder, KEYS, outcome)).exit();
}

fn outcome(built: &Built<'_>) -> Vec<String> {
    let mut image = elf::load("test", &built.bytes.clone().into()).expect("an executable");
    image.symbols.clear();
    let words = |key| built.setting(key).unwrap_or_default().split_whitespace();
    if let [start, end] = words("function").map(number).collect::<Vec<_>>()[..] {
        let address = image.entry.0 + start;
        let name = "f".into();
        image.symbols.push(Symbol { name, address, size: end - start, function: true, local: false, section: None });
    }
    let start = if words("start").eq(["function"]) { Start::Function(image.entry) } else { Start::ElfEntry };
    let step_limit = words("steps").next().map_or(10_000, |limit| limit.parse().expect("a number of steps"));
    let arguments = words("arguments").map(str::to_owned).collect();
    let vector_bits = words("vector-bits").next().map_or(VectorBits::DEFAULT, |bits| {
        VectorBits::new(bits.parse().expect("a number")).expect("a length that processors have")
    });
    let plan = Plan { start, step_limit, arguments, vector_bits, stack_size: 64 << 10, ..Plan::new(&image) };
    let show: BTreeSet<&str> = words("show").collect();
    let [every_step, frames] = ["every-step", "frames"].map(|word| show.contains(word));
    let mut path = Recorder { every_step, frames, ..Recorder::new(&image) };
    let run = run(&plan, &mut path).expect("the image loads");
    let Recorder { mut lines, last, .. } = path;
    if show.contains("end") {
        lines.clear();
    }
    let of_last = |number: &str| format!("register {number} is {:#x}", last[usize::from(register(number))]);
    let shown = show.iter().filter_map(|word| word.strip_prefix("registers="));
    lines.extend(shown.flat_map(|numbers| numbers.split(',')).map(of_last));
    let at = |pc: Pc| format!("{:x}", pc.0.wrapping_sub(image.entry.0));
    let end = match &run.end {
        End::Exit(status) => format!("exit {status}"),
        End::Halt(pc) => format!("halt at {}", at(*pc)),
        End::Sentinel => "back at the sentinel".to_owned(),
        End::Undecided { reason, pc, message } => format!("{reason} at {}: {message}", at(*pc)),
    };
    lines.push(format!("{end}, after {} steps with up to {} frames", run.steps, run.max_depth));
    if run.written > 0 {
        lines.push(format!("{} bytes written", run.written));
    }
    lines
}

fn number(text: &str) -> u64 {
    u64::from_str_radix(text, 16).expect("an offset")
}

fn register(number: &str) -> u16 {
    number.parse().expect("a register number")
}

/// Records the steps that do not continue the one before them, and the last one.
struct Recorder<'a> {
    image: &'a Image,
    every_step: bool,
    /// Innermost frames are recorded.
    frames: bool,
    lines: Vec<String>,
    /// SP at the first step.
    sp: u64,
    /// Thread of the step before.
    thread: ThreadId,
    /// Number of frames and innermost frame of each thread.
    before: BTreeMap<ThreadId, (usize, Option<Frame>)>,
    /// Registers at the last step.
    last: [u64; 48],
}

impl<'a> Recorder<'a> {
    fn new(image: &'a Image) -> Recorder<'a> {
        Recorder {
            image,
            every_step: false,
            frames: false,
            lines: Vec::new(),
            sp: 0,
            thread: ThreadId::FIRST,
            before: BTreeMap::new(),
            last: [0; 48],
        }
    }

    /// An address on the initial stack relative to the first SP, in the code relative to its start,
    /// or the value.
    fn value(&self, value: u64) -> String {
        let of_stack = value.wrapping_sub(self.sp) as i64;
        match value.wrapping_sub(self.image.entry.0) {
            offset @ 0..0x1000 => format!("+{offset:x}"),
            _ if of_stack.unsigned_abs() < 0x1_0000 => format!("sp{of_stack:+}"),
            _ => format!("{value:#x}"),
        }
    }

    fn frame(&self, frame: &Frame) -> String {
        let (ra, cfa, fp) = (self.value(frame.ra.0), self.value(frame.cfa), self.value(frame.fp));
        let signed =
            frame.signed_by.map(|key| format!(", signed by {key:?} as {:#x}", frame.raw_ra)).unwrap_or_default();
        let with_pc = if frame.signed_with_pc { " with PC" } else { "" };
        assert_eq!(frame.raw_ra != frame.ra.0, frame.signed_by.is_some(), "signed values are others");
        format!(": ra {ra}, cfa {cfa}, fp {fp}{signed}{with_pc}")
    }
}

impl Observer for Recorder<'_> {
    fn step(&mut self, step: &Step<'_>) {
        if self.lines.is_empty() {
            self.sp = step.regs.sp;
        }
        for (number, value) in (0..).zip(&mut self.last) {
            *value = step.regs.read(Reg(number)).unwrap_or_default();
        }
        let now = (step.frames.depth(), step.frames.innermost().copied());
        let before = self.before.insert(step.thread, now);
        let is_other = before.is_none_or(|(depth, frame)| depth != now.0 || (self.frames && frame != now.1));
        let switches = std::mem::replace(&mut self.thread, step.thread) != step.thread;
        if step.event == Event::Sequential && !is_other && !switches && !self.every_step {
            return;
        }
        let mut line = format!("{:x} {}", step.pc.0.wrapping_sub(self.image.entry.0), now.0);
        if step.event != Event::Sequential {
            line += &format!(" {}", step.event.name());
        }
        if step.thread != ThreadId::FIRST {
            line += &format!(" in thread {}", step.thread.0);
        }
        if step.outermost == Outermost::Unfollowed {
            line += ", not followed";
        }
        if self.frames && is_other {
            line += &now.1.map(|frame| self.frame(&frame)).unwrap_or_default();
        }
        self.lines.push(line);
    }
}
