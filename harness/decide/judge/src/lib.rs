//! Judges unwind tables: compares their answers with the true frames and with each other,
//! attributes differences to tools and build stages, and checks that the output of a link is
//! complete.
//!
//! Pure functions of values: no machine, file, process or thread. [`judge()`] judges one image; the
//! engine that executes code passes it each [`types::Step`].
//!
//! - [`execution`], [`verdict`]: a table's answer compared with the true frame, at every step;
//! - `statics`, [`compare`], [`coverage`]: the tables compared with each other at every PC, and
//!   functions that `.sframe` omits;
//! - [`structure`]: broken rules of the format as findings; [`eh_frame_hdr`]: those of the search
//!   table of `.eh_frame`; `ranges`: the code that FDEs cover; [`exceptions`]: what a throw reads
//!   besides rows;
//! - [`fold`], [`mod@blame`], [`mod@cause`], [`stages`]: merge occurrences into findings, with the
//!   tool to blame, the cause and the first stage;
//! - [`link`]: relations between the input files and output files of a link.

pub mod blame;
pub mod cause;
mod chain;
pub mod compare;
mod conventions;
pub mod coverage;
pub mod eh_frame_hdr;
pub mod exceptions;
pub mod execution;
pub mod fold;
mod gaps;
pub mod instructions;
pub mod link;
pub mod memo;
pub mod options;
pub mod outside;
pub mod per_table;
mod quick;
mod ranges;
mod reach;
mod remarks;
mod repairs;
mod report;
pub mod saves;
mod section;
mod signal_marks;
pub mod slot;
pub mod stages;
mod statics;
pub mod structure;
mod synchronous;
pub mod tables;
pub mod territory;
pub mod verdict;
mod window;
pub mod witness;
mod wrong_row;

use results::Report;
use types::Image;

pub use execution::Judge;
pub use options::Options;

use crate::tables::Tables;

/// Judges the tables of an image by what `observe` passes to the judge: the steps of executions,
/// each of which starts with [`Judge::begin`].
///
/// ```
/// use generators::{code::Function, elf::FileKind, sample::Sample};
/// use judge::{Options, judge, tables::Tables};
/// use types::{
///     Abi, ByteOrder, Event, Frame, FrameRegs, Frames, Observer as _, Outermost, Pc, Regs,
///     SframeVersion, Stack,
///     Step, ThreadId,
/// };
///
/// // A program of one instruction, `ret`, at which both tables have the CFA at SP plus 8.
/// let functions = vec![Function::leaf(Abi::Amd64, "leaf")];
/// let sample = Sample::new(Abi::Amd64, SframeVersion::V3, FileKind::Executable, functions)?;
/// let image = elf::load("sample", &sample.bytes()?.into())?;
/// let tables = Tables::new(&image);
///
/// // It executes 16 bytes below its true CFA.
/// let step = Step {
///     pc: image.entry,
///     thread: ThreadId::FIRST,
///     event: Event::Sequential,
///     regs: Regs { abi: Abi::Amd64, sp: 0x7008, fp: 0, ra: 0, others: &FrameRegs::none() },
///     stack: Stack::new(0x7000, &[0; 32], 0x7000, ByteOrder::Little, &()),
///     frames: Frames(&[Frame::called(Pc(0x40_2000), 0x7018, 0)]),
///     outermost: Outermost::Begun,
///     changes: 0,
///     earlier_calls: &(),
/// };
/// let report = judge(&image, &tables, Options::default(), |judge| {
///     judge.begin(true);
///     judge.step(&step);
/// });
/// assert_eq!(report.discrepancies[0].rule().name(), "row/cfa-matches-truth");
/// assert_eq!(report.summary.steps_judged, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn judge<'a>(
    image: &'a Image,
    tables: &'a Tables,
    options: Options,
    observe: impl FnOnce(&mut Judge<'a>),
) -> Report {
    let mut judge = Judge::new(image, tables, options);
    observe(&mut judge);
    judge.finish()
}
