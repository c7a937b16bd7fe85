//! Tests causes of undecided answers: wrong rows are planted into code that each cause covers, and
//! none may be clean.

mod shapes;

use std::collections::BTreeMap;
use std::io::{self, Write};

use check::{Options, check};
use elf::LoadError;
use rayon::prelude::*;
use results::Report;
use serde_json::{Value, json};
use toolchain::entry::{Kind, Step};
use toolchain::files::Files;
use toolchain::process::ProcessError;
use toolchain::producers::Producers;
use toolchain::tool::{Order, Tool, made};
use types::{Abi, Bytes, UndecidedReason};

use super::Fates;

use self::shapes::{Shape, Way, shapes, words};

/// Wrong rows: the CFA too high, the return address in a slot that does not hold it and nowhere, FP
/// in a slot that does not hold it.
const WRONG: [&str; 4] =
    [".cfi_adjust_cfa_offset 16", ".cfi_offset RA, -88", ".cfi_undefined RA", ".cfi_offset FP, -88"];

/// Results for the wrong rows planted into code that a cause covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CauseScore {
    pub why: UndecidedReason,
    /// Target.
    pub abi: Abi,
    pub fates: Fates,
    /// True if the right copy has undecided answers of this cause, so that it is tested at all.
    pub occurs: bool,
    /// True if the right copy is reported as wrong.
    pub false_alarm: bool,
}

/// The error for a shape that cannot be tried.
#[derive(Debug, thiserror::Error)]
pub enum ReasonsError {
    #[error("no GNU assembler and linker for {0}")]
    NoTools(Abi),
    /// A tool failed, or rejects the source.
    #[error("{}, {abi}: {error}", why.name())]
    Build {
        /// The cause.
        why: UndecidedReason,
        /// Target.
        abi: Abi,
        error: ProcessError,
    },
    /// The file that the tools made cannot be read.
    #[error("{}, {abi}: {error}", why.name())]
    Read {
        /// The cause.
        why: UndecidedReason,
        /// Target.
        abi: Abi,
        error: LoadError,
    },
}

impl CauseScore {
    /// Returns true if the cause occurs, accuses no right row, and hides few enough wrong ones.
    pub fn passes(&self) -> bool {
        self.occurs && !self.false_alarm && self.fates.hides_few_of(self.fates.planted)
    }
}

/// Plants wrong rows into the code of each cause whose name contains `filter`, on all targets.
pub fn score(producers: &Producers, filter: &str) -> Result<Vec<CauseScore>, ReasonsError> {
    let shapes = shapes();
    let all: Vec<(&Shape, Abi)> = shapes
        .iter()
        .filter(|shape| shape.why.name().contains(filter))
        .flat_map(|shape| shape.on.iter().map(move |abi| (shape, *abi)))
        .collect();
    all.into_par_iter().map(|(shape, abi)| one(producers, shape, abi)).collect()
}

/// Results by cause, over all targets, in the order of names.
pub fn by_cause(scores: &[CauseScore]) -> BTreeMap<&'static str, Fates> {
    let mut sums: BTreeMap<&str, Fates> = BTreeMap::new();
    for score in scores {
        *sums.entry(score.why.name()).or_default() += score.fates;
    }
    sums
}

/// Prints a line for each cause, and one for each that fails on a target.
pub fn print(scores: &[CauseScore], out: &mut dyn Write) -> io::Result<()> {
    let sums = by_cause(scores);
    let mut all = Fates::default();
    sums.values().for_each(|fates| all += *fates);
    write!(out, "{}", Fates::table(sums.into_iter().chain([("all", all)])))?;
    for score in scores.iter().filter(|score| !score.passes()) {
        let (why, abi) = (score.why.name(), score.abi);
        let what = match score {
            CauseScore { occurs: false, .. } => "the cause does not occur in its code".to_owned(),
            CauseScore { false_alarm: true, .. } => "a right row is an error".to_owned(),
            _ => format!("{} of {} missed", score.fates.missed, score.fates.planted),
        };
        writeln!(out, "failed: {why}, {abi}: {what}")?;
    }
    Ok(())
}

pub fn to_json(scores: &[CauseScore]) -> Value {
    let one = |score: &CauseScore| {
        let mut one = score.fates.to_json(score.why.name());
        (one["abi"], one["occurs"], one["accused"]) = (json!(score.abi), score.occurs.into(), score.false_alarm.into());
        one
    };
    json!({"schema": 1, "causes": scores.iter().map(one).collect::<Vec<_>>()})
}

/// Judges a file with a right copy of a shape, and one with each wrong row.
fn one(producers: &Producers, shape: &Shape, abi: Abi) -> Result<CauseScore, ReasonsError> {
    let marks = worded(abi, &shape.source).matches('@').count();
    let wrong = (1..=marks).flat_map(|mark| WRONG.map(|rule| Some((mark, rule))));
    let copies: Vec<String> =
        std::iter::once(None).chain(wrong).enumerate().map(|(number, wrong)| copy(shape, abi, number, wrong)).collect();
    let why = shape.why;
    let bytes = build(producers, shape, abi, &copies)?;
    let image = elf::load("f", &bytes).map_err(|error| ReasonsError::Read { why, abi, error })?;
    let symbol = |name: String| {
        let symbol = image.symbols.iter().find(|symbol| symbol.name.as_str() == name);
        symbol.map(|symbol| symbol.address)
    };
    let right = symbol("f_0".to_owned()).unwrap_or(0)..symbol("f_1".to_owned()).unwrap_or(0);
    let options = if shape.way == Way::Run { Options::default() } else { Options::exploring() };
    let report = check("f", &bytes, &options).report;
    let errors: Vec<(u64, u64)> = report
        .discrepancies
        .iter()
        .filter(|found| found.is_error())
        .flat_map(|found| found.evidence.ranges.iter().copied())
        .collect();
    Ok(CauseScore {
        why,
        abi,
        fates: fates(&report, &errors, (1..copies.len()).filter_map(|number| symbol(format!("planted_{number}")))),
        occurs: report.undecided.iter().any(|one| one.reason == why),
        false_alarm: errors.iter().any(|(start, end)| *start < right.end && right.start < *end),
    })
}

/// Results for the planted rows, by their address.
fn fates(report: &Report, errors: &[(u64, u64)], planted: impl Iterator<Item = u64>) -> Fates {
    let mut fates = Fates::default();
    for pc in planted {
        let found = errors.iter().any(|(start, end)| (*start..*end).contains(&pc));
        fates.add(found, report.undecided_in.iter().any(|one| one.pcs.contains(&pc)));
    }
    fates
}

/// The file of the copies: an object, or a program whose `_start` calls each.
fn build(producers: &Producers, shape: &Shape, abi: Abi, copies: &[String]) -> Result<Bytes, ReasonsError> {
    let (text, all) = (worded(abi, "MACROS"), copies.join("\n"));
    let (undefined, exit) = match abi {
        Abi::Amd64 => ("rip", "xor %edi, %edi\nmov $60, %eax\nsyscall"),
        Abi::Aarch64 | Abi::Aarch64Be => ("x30", "mov x0, #0\nmov x8, #93\nsvc #0"),
        Abi::S390x => ("%r14", "lghi %r2, 0\nlghi %r1, 1\nsvc 0"),
    };
    let call = |number| format!("hold\ndown\naddress m_{number}\ncalls f_{number}\nnothing\nm_{number}: nothing\n");
    let source = match shape.way {
        Way::Explore => format!(".text\n{text}\n{all}\n"),
        Way::Run => {
            let calls: String = (0..copies.len()).map(call).collect();
            format!(
                ".text\n.globl _start\n_start: .cfi_startproc\n.cfi_undefined {undefined}\n{text}\n{calls}\n{exit}
                 .cfi_endproc\n{all}\n.bss\n.balign 16\n.skip 256\nstack: .skip 64\n"
            )
        }
    };
    let (assembler, linker) = tools(producers, abi).ok_or(ReasonsError::NoTools(abi))?;
    let steps: &[(&Tool, Step, &str, &str)] = match shape.way {
        Way::Explore => &[(assembler, Step::Assemble, "f.s", "f")],
        Way::Run => &[(assembler, Step::Assemble, "f.s", "f.o"), (linker, Step::Link, "f.o", "f")],
    };
    make(steps, source).map_err(|error| ReasonsError::Build { why: shape.why, abi, error })
}

fn make(steps: &[(&Tool, Step, &str, &str)], source: String) -> Result<Bytes, ProcessError> {
    let mut files = Files::default();
    files.put("f.s", source.into());
    let mut last = Bytes::new();
    for (tool, step, input, output) in steps {
        let order = Order { step: *step, inputs: &[input], output, options: "", sframe: false };
        let ran = tool.must_run(&order, &mut files)?;
        last = made(&order, &ran, &files)?.clone();
    }
    Ok(last)
}

/// The first GNU assembler and linker of a target.
fn tools(producers: &Producers, abi: Abi) -> Option<(&Tool, &Tool)> {
    let assemblers = producers.of_kind(Kind::Assembler).filter_map(|entry| producers.tools(&entry.name, abi).ok());
    let pair = |tool| Some((tool, producers.partner(tool, Kind::Linker, |linker| linker.can(Step::Link))?));
    assemblers.flatten().find_map(pair)
}

fn worded(abi: Abi, text: &str) -> String {
    words(abi).iter().fold(text.to_owned(), |text, (word, is)| text.replace(word, is))
}

/// A copy of a shape, with a wrong row at one of the marks.
fn copy(shape: &Shape, abi: Abi, number: usize, wrong: Option<(usize, &str)>) -> String {
    let text = worded(abi, &shape.source.replace('%', &format!("_{number}")));
    let mut mark = 0;
    let lines = text.lines().map(|line| match line.trim().strip_prefix('@') {
        None => line.to_owned(),
        Some(instruction) => {
            mark += 1;
            match wrong.filter(|(at, _)| *at == mark) {
                None => instruction.to_owned(),
                Some((_, rule)) => {
                    let rule = worded(abi, rule);
                    format!(".cfi_remember_state\n{rule}\nplanted_{number}: {instruction}\n.cfi_restore_state")
                }
            }
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}
