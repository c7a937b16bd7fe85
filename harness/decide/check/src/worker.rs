//! The worker side: loads a file, executes it, judges each step, compares the tables, and makes the
//! report. Runs in a separate process if code is executed ([`serve()`]), else in the caller's.

mod corefile;
mod engines;
mod error;
mod execute;
mod features;
mod instructions;
mod invoked;
mod launch;
mod measure;
mod process;
mod programs;
mod serve;
mod settle;
mod stopped;
mod synchronous;
mod trace;
mod window;
pub mod words;

use judge::blame::Table;
use judge::execution::Judge;
use judge::structure;
use judge::tables::{MOST_SECTIONS, Tables};
use results::{Report, Undecided};
use types::{Bytes, Image, ImageKind, Pc, UndecidedReason};
use unwind::{CfiUnwinder, Unwinder as _};

use self::engines::Engines;
pub(crate) use self::error::CheckError;
use self::execute::{Executed, Runs, Started, execute};
use self::instructions::Decoded;
use self::invoked::is_invoked;
use self::process::Process;
use self::settle::{settle, sizes};
use self::stopped::Stops;
use crate::checked::Checked;
use crate::options::{Chains, Execution, Include, Options, Rows, Sframe, Start};
use crate::supplies::Outside;
pub use serve::serve;
pub use stopped::Survived;

/// Checks a file's bytes in this process.
pub(crate) fn check(name: &str, bytes: &Bytes, options: &Options) -> Checked {
    check_until(name, bytes, options, Stops::default())
}

/// Checks a file's bytes in this process; runs end at the stops.
fn check_until(name: &str, bytes: &Bytes, options: &Options, stops: Stops<'_>) -> Checked {
    let image = match elf::load(name, bytes) {
        Ok(image) => image,
        Err(error) => return Checked::failed(name, error.into()),
    };
    let from_entry = matches!(options.execution, Execution::Run { start: Start::ElfEntry, .. });
    let supplies = &options.inputs.supplies;
    if from_entry && image.kind == ImageKind::Executable && supplies.have_programs() {
        let process = Process::of_static(&image, bytes, supplies);
        return judge((&image, bytes), Started::Process(&process), options, stops);
    }
    if from_entry && is_invoked(&image, &options.inputs) && supplies.outside != Outside::Nothing {
        let place = process::place(&image, bytes);
        let moved = image.moved(place);
        let process = Process::of_linker(&moved, bytes, &options.inputs);
        return judge((&moved, bytes), Started::Process(&process), options, stops);
    }
    if !from_entry || image.kind != ImageKind::Dynamic || image.is_debug_only() || supplies.outside == Outside::Nothing
    {
        return judge((&image, bytes), Started::Alone, options, stops);
    }
    let moved = image.clone().moved(process::place(&image, bytes));
    match (Process::new(&moved, bytes, supplies), &supplies.outside) {
        (Ok(process), _) => judge((&moved, bytes), Started::Process(&process), options, stops),
        (Err(error), Outside::Nothing | Outside::Libraries) => {
            judge((&image, bytes), Started::Not(error), options, stops)
        }
        (Err(error), Outside::Folder(_)) => Checked::failed(name, CheckError::from(error).into()),
    }
}

/// Checks a loaded image in this process: that of a program generated here, or one that is not
/// executed.
pub fn check_image(image: &Image, options: &Options) -> Checked {
    judge((image, &Bytes::new()), Started::Alone, options, Stops::default())
}

fn judge((image, file): (&Image, &Bytes), started: Started<'_>, options: &Options, stops: Stops<'_>) -> Checked {
    let tables = Tables::new(image);
    let mut report =
        Report { file: image.name.clone(), abi: Some(image.abi), sframe_version: tables.version, ..Report::default() };
    if image.is_debug_only() {
        let message = "a separate debug file: its code and tables are in the file that it belongs to".to_owned();
        report.undecided.push(Undecided { reason: UndecidedReason::NothingJudged, pc: None, message });
        return Checked { report, ..Checked::default() };
    }
    if !tables.has_sframe && tables.cfi.is_none() {
        report.error = Some(CheckError::NoTable.into());
        return Checked { report, ..Checked::default() };
    }
    note_tables(image, &tables, &mut report);
    let mut judge = Judge::new(image, &tables, options.judging.chains == Chains::AtEveryStep)
        .at_every_step(options.judging.rows == Rows::AtEveryStep)
        .with_instructions(Decoded(image));
    let mut runs = Runs::new(Engines::new(machine::Unicorn::default(), &options.engine, file), stops);
    report.output = options.include.contains(&Include::Output).then(String::new);
    let Executed { exit, objects, reached } =
        match execute((image, started), &tables, options, &mut runs, &mut judge, &mut report) {
            Ok(done) => done,
            Err(error) => {
                report.error = Some(error.into());
                return Checked { report, ..Checked::default() };
            }
        };
    let functions = image.symbols.iter().filter(|symbol| judge.memo.truth_at(Pc(symbol.address)).is_some());
    let entered = functions.map(|symbol| symbol.name.to_string()).collect();
    let executed = judge.counts.steps > 0;
    let interrupted = judge.counts.interrupted;
    let has_functions = tables.sframe.as_ref().is_some_and(|table| table.functions().len() > 0);
    let unreadable = tables.has_sframe && tables.sframe.is_none() && !tables.sframe_is_empty;
    let is_dead = settle::is_dead(&tables, &judge, settle::steps(&judge, &report));
    if options.sframe == Sframe::Required && (!(has_functions || unreadable) || is_dead) {
        report.discrepancies.push(structure::absent(image, &tables));
    }
    report.static_only =
        settle::steps(&judge, &report) == 0 && matches!(image.kind, ImageKind::Executable | ImageKind::Dynamic);
    report.exit_status = exit.map(|(_, status)| status);
    let report = settle(image, &tables, judge, report, options);
    let features = options.include.contains(&Include::Features);
    let table = if features { features::table_line(image, &tables, executed) } else { None };
    let sizes = tables.counts.map(|counts| sizes(image, counts));
    Checked { report, exit, entered, header: tables.counts, sizes, table, reached, interrupted, objects }
}

fn note_tables(image: &Image, tables: &Tables, report: &mut Report) {
    let broken = tables.sframe.iter().flat_map(|table| table.table().broken());
    let unread = broken.filter(|(_, error)| error.kind == sframe::ErrorKind::Overlap).count();
    if unread > 0 {
        let message = format!("{unread} functions were skipped: they share too many rows with others");
        report.undecided.push(Undecided { reason: UndecidedReason::SharedRows, pc: None, message });
    }
    if tables.unchecked > 0 {
        let message =
            format!("{} .sframe sections beyond the first {MOST_SECTIONS} were not checked", tables.unchecked);
        report.undecided.push(Undecided { reason: UndecidedReason::ManySections, pc: None, message });
    }
    match (tables.has_sframe, &tables.cfi) {
        (false, cfi) => {
            let section = cfi.as_ref().map_or(Table::EhFrame.section(), CfiUnwinder::section);
            report.notes.push(format!("no .sframe section: {section} is judged alone"));
        }
        (true, None) => report.notes.push("no .eh_frame: .sframe is judged alone".to_owned()),
        (true, Some(_)) => {}
    }
    if image.section(".debug_frame").is_some()
        && tables.cfi.as_ref().is_some_and(|cfi| cfi.section() == Table::EhFrame.section())
    {
        report
            .notes
            .push(".debug_frame is not judged beside .eh_frame: what only it describes counts as outside".to_owned());
    }
}
