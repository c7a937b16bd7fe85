//! Result types that are stored as JSON or YAML, and their schemas: findings and their causes,
//! reports on files, runs, sweeps, readers under test, bundles; trial keys and tool versions.
//!
//! No I/O. Rules are named by `spec`, rows and addresses are those of `types`.

mod acceptance;
mod accuracy;
mod blame;
pub mod bundle;
mod cause;
mod code_range;
mod consequence;
mod contradictions;
mod coverage;
mod day;
mod dumped;
pub mod embedded;
mod entry_class;
mod finding;
mod gap;
mod headline;
mod kept_folder;
mod key;
mod near;
mod outside;
mod problem;
mod program_cause;
mod reader_verdict;
mod readers;
mod repair;
mod report;
mod run;
mod run_results;
pub mod schema;
mod shape;
mod short;
mod stage;
mod sums;
mod sweep;
mod sweep_fold;
pub mod tally;
mod tool_version;
mod values;
mod wrong_row;
pub mod yaml;

pub use acceptance::{
    ACCEPTANCE_SCHEMA, Acceptance, AcceptanceFunction, AcceptanceLine, AcceptanceReason, ClauseEffect,
};
pub use accuracy::{
    ACCURACY_SCHEMA, Accuracy, MethodAccuracy, MissPlace, MissedFunction, MissedInstruction, Misses, ReaderTime,
    RestoredRegisters, Share, TableCost, UnwindMethod,
};
pub use blame::Blame;
pub use cause::{Cause, without_numbers};
pub use coverage::{Exercised, JudgedTable, coverage, exercised};
pub use day::{date, day_number, moment};
pub use dumped::{DUMP_SCHEMA, DumpedFunction, DumpedHeader, DumpedRow, DumpedSection, TraceEnd, TraceLine, TraceStep};
pub use entry_class::EntryClass;
pub use finding::{
    Evidence, Finding, LedgerStatus, Presentation, Resembles, WindowLine, merge_ranges, rows_fingerprint,
};
pub use gap::Gap;
pub use kept_folder::{KEPT, kept_folder};
pub use key::{CaseName, Key, KeyError, KeyPattern, Pieces};
pub use near::{near, unknown};
pub use outside::{Outside, OutsideFunction, OutsideShare};
pub use problem::Problem;
pub use program_cause::ProgramCause;
pub use reader_verdict::ReaderVerdict;
pub use readers::{
    Choice, Counts, READERS_SCHEMA, ReaderBug, ReaderCause, ReaderExample, ReaderFinding, ReaderLine, ReadersRun,
    Reading, table_name,
};
pub use repair::{Repair, RepairAction, RepairEdit, RepairedRow};
pub use report::{
    AssumedIn, Contradicted, Deny, LinkedBy, Outcome, Report, Summary, Undecided, UndecidedIn, UnreachedIn,
};
pub use run::{
    ClauseFacts, GapLine, KnownEntry, LedgerFacts, ProducerFacts, RunAsked, RunFacts, SCHEMA, Sizes, Status, TableLine,
    TrialLine, entry_name,
};
pub use run_results::{MergeError, ResultsSource, RunResults, merge};
pub use shape::Shape;
pub use short::short;
pub use stage::Stage;
pub use sweep::{
    CauseCount, CauseTotal, CostTotal, Counted, Example, FileLine, Judged, ReasonTotal, SWEEP_SCHEMA, SlowFile,
    SweepAsked, SweepTotals, SweepVerdict, VerdictTotals,
};
pub use sweep_fold::{SweepFold, is_of_lines, skip_of};
pub use tool_version::{NoToolName, ToolName, ToolVersion};
pub use values::Values;
pub use wrong_row::{MOST_WRONG_ROWS, Source, WrongRow};
