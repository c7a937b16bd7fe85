//! One file from bytes to report: load it, read its tables, run it, judge every step, compare the tables, report.

mod execute;
mod settle;

use std::collections::BTreeSet;
use std::time::Duration;

use judge::execution::Judge;
use judge::structure;
use judge::tables::{HeaderCounts, Tables};
use results::{Report, Sizes, TableLine, Undecided};
use types::{Bytes, FileError, FileErrorKind, Image, ImageKind, Pc, UndecidedReason};

use self::execute::{Executed, Runs, execute};
use self::settle::{settle, sizes};
use crate::features;
use crate::process::{self, Process};
use crate::signals::SignalAt;
use crate::supplies::Supplies;
use crate::workers::{self, Stop};

/// What to do with a file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Options {
    /// Leave the run out.
    pub static_only: bool,
    /// Also run functions that nothing called.
    pub explore: bool,
    /// Walk the whole chain at every step.
    pub whole_chain: bool,
    /// Evaluate rows at every step, also where all that they read is as it was at a step that was judged.
    pub every_step: bool,
    /// See [`machine::Plan::blocks_from`].
    pub blocks_from: u64,
    /// Most steps of one run.
    pub step_limit: u64,
    /// Most time for executing what the file has, all runs together.
    pub time_limit: Option<Duration>,
    /// Functions to run by name, in place of the ELF entry.
    pub entries: Vec<String>,
    /// Arguments of the program.
    pub arguments: Vec<String>,
    /// Files and input of the program.
    pub supplies: Supplies,
    /// Signals that it is sent.
    pub signals: Vec<SignalAt>,
    /// Tell what the program wrote.
    pub output: bool,
    /// Also list what the table has, for coverage of the specification.
    pub features: bool,
    /// Also list the instructions that exploration reached.
    pub reached: bool,
    /// A file without `.sframe` is an error.
    pub require_sframe: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            static_only: false,
            explore: false,
            whole_chain: false,
            every_step: false,
            blocks_from: machine::BLOCKS_FROM,
            step_limit: 100_000_000,
            time_limit: None,
            entries: Vec::new(),
            arguments: Vec::new(),
            supplies: Supplies::default(),
            signals: Vec::new(),
            output: false,
            features: false,
            reached: false,
            require_sframe: false,
        }
    }
}

/// A report and what was seen on the way to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Checked {
    /// What `check` reports.
    pub report: Report,
    /// Instructions and status of a run to its exit.
    pub exit: Option<(u64, i32)>,
    /// Names of the functions entered.
    pub entered: BTreeSet<String>,
    /// What the `.sframe` header says.
    pub header: Option<HeaderCounts>,
    /// Sizes of the tables and of the code; none without `.sframe`.
    pub sizes: Option<Sizes>,
    /// What the table has, where [`Options::features`] asks for it.
    pub table: Option<TableLine>,
    /// Addresses of instructions that exploration reached, where [`Options::reached`] asks for them; ascending.
    pub reached: Vec<u64>,
    /// Frames of functions that a signal interrupted, found by a table from its handler's or the restorer's.
    pub interrupted: u64,
    /// Of each object that the program mapped and executed, the loader first.
    pub objects: Vec<Report>,
}

/// Checks a file's bytes; its code is executed in a worker ([`crate::workers`]). Never fails: what cannot be judged is said in the report.
pub fn check(name: &str, bytes: &Bytes, options: &Options) -> Checked {
    check_by(name, bytes, options, |image| workers::check(image, bytes, options))
}

/// Checks a file's bytes; `execute` does it where its code is executed.
pub(crate) fn check_by(
    name: &str,
    bytes: &Bytes,
    options: &Options,
    execute: impl FnOnce(&Image) -> Checked,
) -> Checked {
    match load(name, bytes) {
        Ok(image) if is_executed(&image, options) => execute(&image),
        Ok(image) => check_image(&image, options),
        Err(error) => failed(Report::failed(name, error)),
    }
}

/// Checks a file's bytes in this process; runs end where the stops say.
pub(crate) fn check_here(name: &str, bytes: &Bytes, options: &Options, stops: &[Stop]) -> Checked {
    let image = match load(name, bytes) {
        Ok(image) => image,
        Err(error) => return failed(Report::failed(name, error)),
    };
    let loaded = image.kind == ImageKind::Dynamic && options.supplies.root.is_some() && options.entries.is_empty();
    if !loaded || options.static_only {
        return check_until(&image, None, options, stops);
    }
    let bias = process::place(&image, bytes);
    let image = image.moved(bias);
    match Process::of(&image, bytes, &options.supplies.world()) {
        Ok(process) => check_until(&image, Some(&process), options, stops),
        Err(message) => failed(Report::failed(name, FileError { kind: FileErrorKind::Usage, offset: None, message })),
    }
}

fn load(name: &str, bytes: &Bytes) -> Result<Image, FileError> {
    elf::load(name, bytes).map_err(|error| FileError {
        kind: error.kind(),
        offset: Some(error.offset()),
        message: error.to_string(),
    })
}

/// True where some code of the image is executed.
fn is_executed(image: &Image, options: &Options) -> bool {
    let asked = options.explore || !options.entries.is_empty() || image.kind == ImageKind::Executable;
    let loaded = image.kind == ImageKind::Dynamic && options.supplies.root.is_some();
    (asked || loaded) && !options.static_only && (options.explore || image.kind != ImageKind::Relocatable)
}

fn failed(report: Report) -> Checked {
    Checked { report, ..Checked::default() }
}

/// Checks a loaded image in this process: one of a program made here, or one that is not executed.
pub fn check_image(image: &Image, options: &Options) -> Checked {
    check_until(image, None, options, &[])
}

fn check_until(image: &Image, process: Option<&Process>, options: &Options, stops: &[Stop]) -> Checked {
    let tables = Tables::of(image);
    let mut report =
        Report { file: image.name.clone(), abi: Some(image.abi), sframe_version: tables.version, ..Report::default() };
    if !tables.has_sframe && tables.cfi.is_none() {
        let message = "no unwind table at all: neither .sframe nor .eh_frame nor .debug_frame".to_owned();
        report.error = Some(FileError { kind: FileErrorKind::NoTable, offset: None, message });
        return failed(report);
    }
    note_tables(&tables, &mut report);
    if options.require_sframe && !tables.has_sframe {
        report.discrepancies.push(structure::absent(image));
    }
    let mut judge = Judge::new(image, &tables, options.whole_chain).at_every_step(options.every_step);
    let mut runs = Runs::new(stops);
    report.output = options.output.then(String::new);
    let Executed { exit, objects, reached } =
        match execute((image, process), &tables, options, &mut runs, &mut judge, &mut report) {
            Ok(done) => done,
            Err(message) => {
                report.error = Some(FileError { kind: FileErrorKind::Usage, offset: None, message });
                return failed(report);
            }
        };
    let functions = image.symbols.iter().filter(|symbol| judge.memo.truth_at(Pc(symbol.address)).is_some());
    let entered = functions.map(|symbol| symbol.name.to_string()).collect();
    let executed = judge.counts.steps > 0;
    let interrupted = judge.counts.interrupted;
    report.exit_status = exit.map(|(_, status)| status);
    let report = settle(image, &tables, judge, report);
    let table = options.features.then(|| features::table_line(image, &tables, executed)).flatten();
    let sizes = tables.counts.map(|counts| sizes(image, counts));
    Checked { report, exit, entered, header: tables.counts, sizes, table, reached, interrupted, objects }
}

fn note_tables(tables: &Tables, report: &mut Report) {
    let broken = tables.sframe.iter().flat_map(|table| table.table().broken());
    let unread = broken.filter(|(_, error)| error.kind == sframe::ErrorKind::Overlap).count();
    if unread > 0 {
        let message = format!("{unread} functions share so many rows with others that they were not read");
        report.undecided.push(Undecided { reason: UndecidedReason::SharedRows, pc: None, message });
    }
    match (tables.has_sframe, &tables.cfi) {
        (false, _) => report.notes.push("no .sframe section: .eh_frame is judged alone".to_owned()),
        (true, None) => report.notes.push("no .eh_frame: .sframe is judged alone".to_owned()),
        (true, Some(_)) => {}
    }
}
