//! Bugs planted when a generated program is made: in the frames that tables are made from, in one
//! table, as by an assembler, or in both alike, as by a compiler; and in what linkers add.

use spec::RuleId;
use types::{Abi, ByteOrder, CfaRule, PacKey, ValueRule};

use super::damage::Damage;
use super::effect::DamagedPart;
use crate::arch::target;
use crate::code::FrameState;
use crate::elf::{self, FileKind};
use crate::linker::{self, LinkerBug};
use crate::program::Program;
use crate::program::code::FunctionCode;
use crate::sample::{Sample, SampleError};
use types::Rng;

/// A program, and the file that it is built as.
#[derive(Clone, Debug)]
pub(super) struct Built {
    program: Program,
    sample: Sample,
}

impl Built {
    pub(super) fn new(program: Program) -> Result<Built, SampleError> {
        Ok(Built { sample: program.build()?.sample, program })
    }
}

/// A program with a planted bug.
pub(super) struct Planted {
    pub(super) damage: Damage,
    pub(super) bytes: Vec<u8>,
}

#[derive(Clone, Copy)]
struct FrameBug {
    /// The end of the operator's name.
    name: &'static str,
    /// The bug, as a clause of a sentence.
    what: &'static str,
    /// Changes the frame; false if the bug does not apply.
    change: fn(&mut Frame<'_>) -> bool,
}

const fn bug(name: &'static str, what: &'static str, change: fn(&mut Frame<'_>) -> bool) -> FrameBug {
    FrameBug { name, what, change }
}

const FRAME_BUGS: [FrameBug; 14] = [
    bug("cfa", "the CFA is 8 bytes higher", |frame| match &mut frame.state().cfa {
        CfaRule::Register { offset, .. } | CfaRule::Memory { offset, .. } => add(offset, 8),
        CfaRule::Expression(_) | CfaRule::Unspecified => false,
    }),
    bug("base", "the CFA is based on the other register", |frame| {
        let facts = frame.abi.facts();
        let CfaRule::Register { reg, .. } = &mut frame.state().cfa else { return false };
        *reg = if *reg == facts.sp { facts.fp } else { facts.sp };
        true
    }),
    bug("ra", "the return address is taken from an adjacent slot", |frame| match &mut frame.state().ra {
        ValueRule::AtCfa(offset) => add(offset, -8),
        _ => false,
    }),
    bug("ra-dropped", "the return address is encoded as unsaved", |frame| {
        // On AMD64 there is no register that could still hold it.
        let link_register = frame.abi.facts().link_register;
        let before = std::mem::replace(&mut frame.state().ra, ValueRule::SameValue);
        link_register && before != ValueRule::SameValue
    }),
    bug("fp", "FP is taken from an adjacent slot", |frame| match &mut frame.state().fp {
        ValueRule::AtCfa(offset) | ValueRule::Memory { offset, .. } => add(offset, -8),
        _ => false,
    }),
    bug("fp-dropped", "FP is encoded as unsaved", |frame| {
        std::mem::replace(&mut frame.state().fp, ValueRule::SameValue) != ValueRule::SameValue
    }),
    bug("outermost", "a frame with a caller is encoded as outermost", |frame| {
        frame.state().ra = ValueRule::Undefined;
        true
    }),
    bug(CALLER, "an outermost frame is encoded as one with a caller", |frame| {
        *frame.state() = FrameState::at_entry(frame.abi);
        true
    }),
    bug("signed", "the signed bit of the return address is inverted", |frame| {
        let signed = frame.state().signed;
        frame.state().signed = !signed;
        target(frame.abi).signs
    }),
    bug("key", "the wrong signing key", |frame| {
        let function = &mut frame.code.function;
        function.key = if function.key == PacKey::A { PacKey::B } else { PacKey::A };
        function.frames.iter().any(|at| at.frame.signed)
    }),
    bug("late", "a row starts one instruction late", |frame| {
        let next = frame.code.starts.iter().copied().find(|start| *start > frame.offset());
        let Some(next) = next.filter(|_| frame.index > 0) else { return false };
        let frames = &mut frame.code.function.frames;
        let is_free = frames.get(frame.index + 1).is_none_or(|after| next < after.offset);
        frames[frame.index].offset = next;
        is_free
    }),
    bug("early", "a row starts one instruction early", |frame| {
        let previous = frame.code.starts.iter().copied().rev().find(|start| *start < frame.offset());
        let Some(previous) = previous.filter(|_| frame.index > 0) else { return false };
        let frames = &mut frame.code.function.frames;
        frames[frame.index].offset = previous;
        frames[frame.index - 1].offset < previous
    }),
    bug("all-late", "all rows but the first start one instruction late", |frame| {
        let FunctionCode { function, starts, .. } = &mut *frame.code;
        for at in function.frames.iter_mut().skip(1) {
            at.offset = starts.iter().copied().find(|start| *start > at.offset).unwrap_or(at.offset);
        }
        let ascend = function.frames.windows(2).all(|pair| pair[0].offset < pair[1].offset);
        frame.index == 1 && ascend
    }),
    bug("missing", "a row is missing", |frame| {
        let frames = &mut frame.code.function.frames;
        frames.remove(frame.index);
        frame.index > 0
    }),
];

fn add(offset: &mut i64, bytes: i64) -> bool {
    *offset += bytes;
    true
}

/// One frame of a function.
struct Frame<'a> {
    abi: Abi,
    code: &'a mut FunctionCode,
    index: usize,
}

impl Frame<'_> {
    fn state(&mut self) -> &mut FrameState {
        &mut self.code.function.frames[self.index].frame
    }

    fn offset(&self) -> u32 {
        self.code.function.frames[self.index].offset
    }
}

/// Plants a bug. `None` if the drawn one does not apply to the program.
pub(super) fn draw(built: &Built, rng: &mut Rng) -> Option<Planted> {
    match rng.below(16) {
        0..4 => of_linker(&built.sample, rng),
        4 => in_byte_order(&built.sample),
        _ => in_frame(built, rng),
    }
}

/// The whole section has the other byte order.
fn in_byte_order(sample: &Sample) -> Option<Planted> {
    let mut sample = sample.clone();
    sample.section.order = match sample.section.order {
        ByteOrder::Little => ByteOrder::Big,
        ByteOrder::Big => ByteOrder::Little,
    };
    let (operator, what) = ("header-byte-order".to_owned(), "the section has the other byte order".to_owned());
    let damage = Damage { target: DamagedPart::Sframe, operator, what, edits: Vec::new() };
    Some(Planted { damage, bytes: sample.bytes().ok()? })
}

fn in_frame(Built { program, sample }: &Built, rng: &mut Rng) -> Option<Planted> {
    let (target, prefix) = rng.pick(&[
        (DamagedPart::Sframe, "row"),
        (DamagedPart::EhFrame, "eh"),
        (DamagedPart::Both, "both"),
        (DamagedPart::Both, "both"),
    ]);
    let bug = rng.pick(&FRAME_BUGS);
    // In `.eh_frame` a caller of the outermost frame is only a note.
    if bug.name == CALLER && target != DamagedPart::Sframe {
        return None;
    }
    let changed = program.build_changed(|functions| change_frame(program.abi, functions, bug, rng));
    let (changed, (function, offset)) = changed.ok()??;
    let changed = changed.sample;
    let sample = match target {
        DamagedPart::Sframe => Sample { section: changed.section, ..sample.clone() },
        DamagedPart::EhFrame => Sample { eh_frame: changed.eh_frame, ..sample.clone() },
        DamagedPart::Both | DamagedPart::Linker | DamagedPart::Container | DamagedPart::EhFrameHdr => changed,
    };
    let FrameBug { name, what, .. } = bug;
    let what = format!("{function}: row at +{offset:#x}: {what}");
    let damage = Damage { target, operator: format!("{prefix}-{name}"), what, edits: Vec::new() };
    Some(Planted { damage, bytes: sample.bytes().ok()? })
}

/// The one bug that outermost frames can have.
const CALLER: &str = "caller";

/// Changes a frame of a drawn function, and returns its name and the frame's offset. Functions of
/// blocks are skipped: their rows apply to all blocks, so that a single block cannot be wrong in
/// both tables. So are those that throw, where answers are undecided.
fn change_frame(abi: Abi, functions: &mut [&mut FunctionCode], bug: FrameBug, rng: &mut Rng) -> Option<(String, u32)> {
    let code = functions.get_mut(usize::try_from(rng.below(functions.len() as u64)).ok()?)?;
    let index = usize::try_from(rng.below(code.function.frames.len() as u64)).ok()?;
    let at = code.function.frames.get(index)?;
    let is_outermost = at.frame.ra == ValueRule::Undefined;
    let numbered = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    let is_drawn = is_outermost || code.function.name.strip_prefix('f').is_some_and(numbered);
    if !is_drawn || code.block.is_some() || is_outermost != (bug.name == CALLER) {
        return None;
    }
    let place = (code.function.name.clone(), at.offset);
    (bug.change)(&mut Frame { abi, code, index }).then_some(place)
}

/// The least number of FDEs that the bugs of linkers need.
const LEAST_FDES: usize = 4;

fn of_linker(sample: &Sample, rng: &mut Rng) -> Option<Planted> {
    let fdes: usize = sample.eh_frame.cies.iter().map(|cie| cie.fdes.len()).sum();
    if sample.kind != FileKind::Executable || fdes < LEAST_FDES {
        return None;
    }
    // A segment that is larger than its section is a warning only.
    let bugs: Vec<LinkerBug> = linker::bugs().into_iter().filter(|bug| bug.rule != RuleId::ElfSegmentSize).collect();
    let bug = rng.pick(&bugs);
    let bytes = elf::write(&bug.file(sample).ok()?).ok()?;
    let rule = bug.rule.to_string();
    let operator = format!("linker-{}", rule.rsplit('/').next().unwrap_or_default());
    let damage = Damage { target: DamagedPart::Linker, operator, what: bug.note.to_owned(), edits: Vec::new() };
    Some(Planted { damage, bytes })
}
