//! The terms of sframe-conformance as types, shared by every other crate: ABIs and versions with their properties, rows, steps,
//! verdicts, findings, reports, results; and, as data, the rule catalogue and the clauses of the specification.
//!
//! No I/O, and no other crate of the project is used here. Units: addresses and offsets are bytes; registers are DWARF register numbers
//! of the ABI at hand.

mod abi;
mod abi_facts;
mod address;
mod answer;
mod aspect;
mod blame;
pub mod bundle;
mod catalogue;
mod cause;
mod claim;
mod clause;
mod clause_feature;
mod clause_versions;
mod clauses;
mod counted;
mod day;
mod dumped;
pub mod elf;
mod finding;
mod gap;
mod headline;
mod image;
mod key;
mod name;
mod named;
mod near;
mod reader_verdict;
mod readers;
mod report;
mod results;
mod row;
mod rule;
mod rule_id;
mod run_end;
pub mod schema;
mod shape;
mod signals;
mod skip;
mod stage;
mod step;
mod sums;
mod sweep;
mod tool_version;
mod values;
mod verdict;
mod version;
mod wrong_row;
pub mod yaml;

pub use abi::{Abi, ByteOrder, UnknownAbi};
pub use abi_facts::{AbiFacts, CfaWord};
pub use address::{Addr, CodePoint, Pc, Reg};
pub use answer::{Answer, Caller, Fault};
pub use aspect::Aspect;
pub use blame::Blame;
/// Bytes of a file, held once: a clone or a part of them is another view.
pub use bytes::Bytes;
pub use catalogue::{CATALOGUE, rule, rule_named};
pub use cause::{Cause, without_numbers};
pub use claim::{Claim, Equations, Flaw, Place};
pub use clause::{Clause, ShownBy};
pub use clause_feature::Feature;
pub use clause_versions::ClauseVersions;
pub use clauses::{RULES_WITHOUT_CLAUSE, SECTIONS, clause_named, clauses, clauses_of};
pub use counted::counted;
pub use day::{date, day_number, moment};
pub use dumped::{DUMP_SCHEMA, DumpedFunction, DumpedHeader, DumpedRow, DumpedSection, TraceEnd, TraceLine, TraceStep};
pub use finding::{Finding, Resembles, SourceLine, WindowLine, merge_ranges, rows_fingerprint};
pub use gap::Gap;
pub use image::{Image, ImageKind, ImageSection, Relocation, Segment, Symbol};
pub use key::{CaseName, Key, KeyError, KeyPattern, Pieces};
pub use name::Name;
pub use near::near;
pub use reader_verdict::ReaderVerdict;
pub use readers::{
    Choice, Counts, READERS_SCHEMA, ReaderCause, ReaderExample, ReaderFinding, ReaderLine, ReaderMistake, ReadersRun,
    Reading, table_name,
};
pub use report::{Deny, FileError, FileErrorKind, Outcome, Reach, Report, Summary, Undecided};
pub use results::{
    ClauseFacts, GapLine, LedgerFacts, ProducerFacts, RunAsked, RunFacts, SCHEMA, Sizes, Status, TableLine, TrialLine,
    entry_name,
};
pub use row::{CfaRule, ExprId, PacKey, UnwindRow, ValueRule};
pub use rule::{Breach, Rule, RuleGroup, Severity};
pub use rule_id::{RuleId, UnknownRule};
pub use run_end::{RunEnd, StopReason, UndecidedReason};
pub use shape::Shape;
pub use signals::{Asked, SignalsTold, When};
pub use skip::Skip;
pub use stage::Stage;
pub use step::{
    Beneath, Block, Boundary, EarlierCalls, Event, Extent, Frame, FrameRegs, Frames, LeftBy, Note, Observer, Past,
    Probe, RegFile, Regs, Stack, Step, Written,
};
pub use sweep::{
    CauseCount, CauseTotal, CostTotal, Counted, Example, FileLine, Judged, ReasonTotal, SWEEP_SCHEMA, SlowFile,
    SweepAsked, SweepTotals, SweepVerdict, VerdictTotals,
};
pub use tool_version::{NoToolName, ToolName, ToolVersion};
pub use values::Values;
pub use verdict::{Field, Verdict, Why};
pub use version::SframeVersion;
pub use wrong_row::{MOST_WRONG_ROWS, Source, WrongRow};
