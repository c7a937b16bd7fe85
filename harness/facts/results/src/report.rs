//! The report of `check` on one file, and the resulting verdict.

use crate::code_range::{self, CodeRange};
use crate::sums::add_each;
use crate::{Finding, Gap, LedgerFacts, Outside, OutsideShare, Source, ToolName, ToolVersion};
use spec::Severity;
use types::{Abi, AssumedEntry, FileError, Reach, RunSteps, SframeVersion, UndecidedCause, UndecidedReason, Unreached};

/// The result of checking one file, under the names of `check --format json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Report {
    /// The file as named by the user.
    pub file: String,
    /// Target; `None` if the file could not be read.
    pub abi: Option<Abi>,
    /// Version of its `.sframe` section, if it has one.
    pub sframe_version: Option<SframeVersion>,
    /// Build id of the file, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub build_id: Option<String>,
    /// Compilers that the file names, if requested and there is an error.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub compilers: Vec<ToolName>,
    /// The linker of a linked file, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "LinkedBy")]
    pub linker: Option<LinkedBy>,
    /// Options of its compilers, each once, as far as `DW_AT_producer` and `.GCC.command.line` have
    /// them, likewise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub options: Vec<String>,
    /// Numbers of functions, steps and findings.
    pub summary: Summary,
    /// Findings, errors first.
    pub discrepancies: Vec<Finding>,
    /// Findings of the baseline that the file no longer shows, one sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<String>,
    /// The ledger entries that cover findings, by file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub ledger: Vec<LedgerFacts>,
    /// True if findings of these entries count for the verdict as new ones do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("const" = true))]
    pub known_counts: bool,
    /// Undecided items, which make the verdict undecided.
    pub undecided: Vec<Undecided>,
    /// Functions with undecided answers, by cause.
    #[serde(default)]
    pub undecided_in: Vec<UndecidedIn>,
    /// Functions whose entry exploration assumes, by address.
    #[serde(default, rename = "assumed_entries")]
    pub assumed: Vec<AssumedIn>,
    /// Places at which a run and exploration judge the same state differently, by address: a bug of
    /// the harness.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contradicted: Vec<Contradicted>,
    /// Functions that exploration did not reach completely, by address.
    #[serde(default)]
    pub unreached: Vec<UnreachedIn>,
    /// Functions without SFrame description.
    #[serde(rename = "coverage")]
    pub gaps: Vec<Gap>,
    /// Sections with code that no table describes.
    #[serde(default)]
    pub outside: Vec<Outside>,
    /// Exit status of a program that ran to its exit.
    pub exit_status: Option<i32>,
    /// The program's standard output and error, if requested. Invalid UTF-8 is replaced by U+FFFD.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub output: Option<String>,
    /// True for a file of which nothing was executed: only its tables were judged.
    #[serde(default)]
    pub static_only: bool,
    /// For a file that was executed at another address than its own: the difference. All addresses
    /// of code are those of the file; values of registers and memory are those of the run.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(range(min = 1))]
    pub load_bias: u64,
    /// Remarks that do not change the verdict: how the run ended, what was omitted.
    pub notes: Vec<String>,
    /// Why the file could not be judged at all.
    pub error: Option<FileError>,
}

/// The linker of a file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct LinkedBy {
    /// Its name in the producers' file: `lld`. One that leaves no name is `ld`.
    pub name: String,
    /// Its version, if the file names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "ToolVersion")]
    pub version: Option<ToolVersion>,
}

/// Counts of one check, under the names of the JSON format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Summary {
    /// Functions that `.sframe` describes.
    pub functions: u64,
    /// Number of executed instructions.
    pub steps_executed: u64,
    /// Steps at which the answer of at least one table was compared with the true frame.
    pub steps_judged: u64,
    /// Distinct PCs judged.
    pub pcs_judged: u64,
    /// PCs at which the two tables were compared with each other.
    pub pcs_compared_static: u64,
    /// Frames judged in walks of complete chains.
    pub frames_walked: u64,
    /// Maximum number of callers on the stack.
    pub max_depth: u64,
    /// Findings of severity error.
    pub discrepancies: u64,
    /// Findings of lower severity.
    pub warnings: u64,
    /// Undecided answers: steps, not findings.
    pub undecided: u64,
    /// Judged steps at which a table has a row that could not be evaluated.
    #[serde(default)]
    pub refused: u64,
    /// Functions that were executed or that `.eh_frame` describes, and that `.sframe` does not.
    pub missing: u64,
    /// Findings that a ledger or an earlier sweep covers, of any severity: the other counts include
    /// them only if they count for the verdict.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(range(min = 1))]
    pub known: u64,
    /// Coverage of functions that were executed without their inputs; absent if not requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Reach")]
    pub reach: Option<Reach>,
    /// Executable bytes outside every FDE; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "OutsideShare")]
    pub outside: Option<OutsideShare>,
}

/// A requested check that is undecided.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Undecided {
    /// Reason.
    pub reason: UndecidedReason,
    /// Address, if the item has one.
    pub pc: Option<u64>,
    /// One sentence.
    pub message: String,
}

/// A function with answers that are undecided for one cause.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct UndecidedIn {
    /// Reason.
    pub why: UndecidedCause,
    /// Name of the function.
    pub function: String,
    /// First address and first address after it, from a table or the symbol.
    #[serde(flatten, with = "code_range")]
    #[schemars(with = "CodeRange")]
    pub code: (u64, u64),
    /// The same as text: in ET_REL by section and offset.
    pub place: String,
    /// PCs with an undecided answer, ascending.
    pub pcs: Vec<u64>,
    /// Number of undecided answers.
    pub answers: u64,
}

/// A function that is explored from an assumed entry.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct AssumedIn {
    /// Reason.
    pub why: AssumedEntry,
    /// Name of the function.
    pub function: String,
    /// First address and first address after it, from a table or the symbol.
    #[serde(flatten, with = "code_range")]
    #[schemars(with = "CodeRange")]
    pub code: (u64, u64),
    /// The same as text: in ET_REL by section and offset.
    pub place: String,
}

/// A place at which a table was right in a run, and wrong in exploration of the same state.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Contradicted {
    /// Address of the instruction.
    pub pc: u64,
    /// The same as text.
    pub place: String,
    /// The table.
    pub table: Source,
}

/// A function with instructions that exploration did not reach: no table was judged there by
/// execution.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct UnreachedIn {
    /// Name of the function.
    pub function: String,
    /// The addresses as text: in ET_REL by section and offsets.
    pub place: String,
    /// The counts.
    #[serde(flatten)]
    pub counts: Unreached,
    /// The first instruction that ended a path, its bytes and what they mean: SP is unknown after
    /// it, or where it leads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub stopped_by: Option<String>,
}

fn code((start, end): &mut (u64, u64)) -> [&mut u64; 2] {
    [start, end]
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Summary {
    /// Number and share of refused steps as text: `19195 of 20983 judged steps refused (91.4 %)`;
    /// `None` if there are none.
    pub fn refusal(&self) -> Option<String> {
        let permille = u128::from(self.refused).saturating_mul(1000).checked_div(self.steps_judged.into())?;
        (self.refused > 0).then(|| {
            let share = format!("{}.{} %", permille / 10, permille % 10);
            format!("{} of {} judged steps refused ({share})", self.refused, self.steps_judged)
        })
    }

    /// The steps of runs; `None` without a run.
    pub fn run(&self) -> Option<RunSteps> {
        let Reach { states, judged: explored, .. } = self.reach.unwrap_or_default();
        let (steps, judged) = (self.steps_executed.saturating_sub(states), self.steps_judged.saturating_sub(explored));
        (steps > 0).then_some(RunSteps { steps, judged })
    }

    /// What was looked at: `99.8 % of instructions explored`, `0.4 % of steps judged`,
    /// `static only`.
    pub fn looked_at(&self) -> String {
        let run = self.run();
        let how = if run.is_some() { "executed" } else { "explored" };
        let reach = self.reach.filter(|reach| reach.covered > 0);
        let explored = reach.map(|reach| format!("{} of instructions {how}", reach.percent()));
        let judged = run.map(|run| format!("{} of steps judged", run.percent()));
        let shares: Vec<String> = explored.into_iter().chain(judged).collect();
        if shares.is_empty() { "static only".to_owned() } else { shares.join(", ") }
    }

    /// The share that was looked at, in per mille: of the instructions that tables describe if the
    /// file was explored, else of the steps.
    pub fn permille(&self) -> u64 {
        let of_instructions = self.reach.map(|reach| reach.permille());
        of_instructions.or_else(|| Some(self.run()?.permille())).unwrap_or(0)
    }

    /// Adds the counts of another file; `max_depth` becomes the maximum of both.
    pub fn add(&mut self, other: &Summary) {
        let Summary {
            functions,
            steps_executed,
            steps_judged,
            pcs_judged,
            pcs_compared_static,
            frames_walked,
            max_depth,
            discrepancies,
            warnings,
            undecided,
            refused,
            missing,
            known,
            reach,
            outside,
        } = *other;
        if let Some(outside) = outside {
            self.outside.get_or_insert_default().add(&outside);
        }
        if let Some(Reach { covered, executed, unconfirmed, not_entered, padding, states, judged }) = reach {
            let sum = self.reach.get_or_insert_default();
            add_each([
                (&mut sum.covered, covered),
                (&mut sum.executed, executed),
                (&mut sum.unconfirmed, unconfirmed),
                (&mut sum.not_entered, not_entered),
                (&mut sum.padding, padding),
                (&mut sum.states, states),
                (&mut sum.judged, judged),
            ]);
        }
        self.max_depth = self.max_depth.max(max_depth);
        add_each([
            (&mut self.functions, functions),
            (&mut self.steps_executed, steps_executed),
            (&mut self.steps_judged, steps_judged),
            (&mut self.pcs_judged, pcs_judged),
            (&mut self.pcs_compared_static, pcs_compared_static),
            (&mut self.frames_walked, frames_walked),
            (&mut self.discrepancies, discrepancies),
            (&mut self.warnings, warnings),
            (&mut self.undecided, undecided),
            (&mut self.refused, refused),
            (&mut self.missing, missing),
            (&mut self.known, known),
        ]);
    }
}

impl Undecided {
    /// Returns true if the reason is a run that ended early.
    pub fn is_of_a_run(&self) -> bool {
        match self.reason {
            UndecidedReason::Stopped(_) => true,
            UndecidedReason::NotLoadable
            | UndecidedReason::NothingJudged
            | UndecidedReason::SharedRows
            | UndecidedReason::ManySections
            | UndecidedReason::SignalNotSent
            | UndecidedReason::Unreached
            | UndecidedReason::FilesNotFound
            | UndecidedReason::Answers(_) => false,
        }
    }

    /// Returns true if the reason represents single answers, which the summary counts.
    fn is_of_answers(&self) -> bool {
        match self.reason {
            UndecidedReason::Answers(_) => true,
            UndecidedReason::Stopped(_)
            | UndecidedReason::NotLoadable
            | UndecidedReason::NothingJudged
            | UndecidedReason::SharedRows
            | UndecidedReason::ManySections
            | UndecidedReason::SignalNotSent
            | UndecidedReason::Unreached
            | UndecidedReason::FilesNotFound => false,
        }
    }
}

/// Options for results that also count as errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deny {
    /// Findings of severity warning.
    pub warnings: bool,
    /// Functions that `.sframe` omits.
    pub gaps: bool,
    /// Undecided items.
    pub undecided: bool,
    /// Shares below this one, in per mille, of instructions or steps ([`Summary::permille`]).
    pub reach: Option<u64>,
}

types::named! {
    /// The verdict on a file, by precedence for the exit code.
    pub enum Outcome {
        /// No error.
        Clean = "clean",
        /// A requested check is undecided, and there is no error.
        Undecided = "undecided",
        /// There is a finding of severity error.
        Discrepancy = "discrepancy",
        /// The file could not be judged.
        Error = "error",
    }
}

impl Report {
    /// A report of a file that could not be judged, with the error only.
    pub fn failed(file: &str, error: FileError) -> Self {
        Report { file: file.to_owned(), error: Some(error), ..Report::default() }
    }

    /// Makes the addresses of code those of the file, which was executed at another address.
    pub fn place_in_file(&mut self, load_bias: u64) {
        if load_bias == 0 {
            return;
        }
        self.load_bias = load_bias;
        let down = |address: &mut u64| *address = address.wrapping_sub(load_bias);
        for found in &mut self.discrepancies {
            let of_rows = found.evidence.rows.iter_mut().flat_map(|row| &mut row.ranges);
            found.evidence.ranges.iter_mut().chain(of_rows).flat_map(code).for_each(down);
            found.shown.window.iter_mut().for_each(|line| down(&mut line.pc));
        }
        self.undecided.iter_mut().filter_map(|item| item.pc.as_mut()).for_each(down);
        let undecided =
            self.undecided_in.iter_mut().flat_map(|one| code(&mut one.code).into_iter().chain(&mut one.pcs));
        undecided.for_each(down);
        self.assumed.iter_mut().flat_map(|one| code(&mut one.code)).for_each(down);
        self.contradicted.iter_mut().for_each(|one| down(&mut one.pc));
        self.notes.push(format!("addresses are those of the file; it was executed {load_bias:#x} above them"));
    }

    /// The report of a file of which no finding counts: its errors are notes.
    pub fn make_notes(&mut self) {
        for found in &mut self.discrepancies {
            found.severity = Severity::Info;
        }
        let undecided = std::mem::take(&mut self.undecided);
        self.notes.extend(undecided.into_iter().map(|item| format!("undecided: {}", item.message)));
        self.summary.undecided = 0;
        self.sort_and_count();
    }

    /// Sorts findings and fills the counts that depend on them.
    pub fn sort_and_count(&mut self) {
        self.discrepancies.sort_by(|a, b| {
            let place = |found: &Finding| found.evidence.ranges.first().copied();
            (b.severity, a.rule(), place(a), a.function()).cmp(&(a.severity, b.rule(), place(b), b.function()))
        });
        let counted: Vec<&Finding> = self.discrepancies.iter().filter(|found| self.counts(found)).collect();
        let errors = counted.iter().filter(|found| found.severity == Severity::Error).count() as u64;
        let warnings = counted.len() as u64 - errors;
        self.summary.known = self.discrepancies.iter().filter(|found| found.standing.known.is_some()).count() as u64;
        self.summary.discrepancies = errors;
        self.summary.warnings = warnings;
        self.summary.missing = self.gaps.len() as u64;
    }

    /// Returns true if a finding counts for the verdict.
    pub fn counts(&self, found: &Finding) -> bool {
        let by_entry = |file: &String| self.ledger.iter().any(|entry| entry.file == *file);
        found.standing.known.as_ref().is_none_or(|known| self.known_counts && by_entry(known))
    }

    /// Returns true if there are undecided answers among those that could be evaluated.
    pub fn has_undecided_answers(&self) -> bool {
        self.undecided.iter().any(|item| matches!(item.reason, UndecidedReason::Answers(_)))
    }

    /// Number of undecided items: single answers, and other reasons for an undecided verdict.
    pub fn count_undecided(&self) -> u64 {
        let is_counted = |item: &&Undecided| self.summary.undecided > 0 && item.is_of_answers();
        let others = self.undecided.iter().filter(|item| !is_counted(item)).count() as u64;
        self.summary.undecided.saturating_add(others)
    }

    /// The verdict. A program's own exit status does not affect it.
    pub fn outcome(&self, deny: Deny) -> Outcome {
        let least = if deny.warnings { Severity::Warning } else { Severity::Error };
        if self.error.is_some() {
            Outcome::Error
        } else if self.discrepancies.iter().any(|found| found.severity >= least && self.counts(found))
            || (deny.gaps && (!self.gaps.is_empty() || self.summary.outside.is_some()))
            || (deny.undecided && !self.undecided.is_empty())
            || deny.reach.is_some_and(|least| self.summary.permille() < least)
        {
            Outcome::Discrepancy
        } else if !self.undecided.is_empty() {
            Outcome::Undecided
        } else {
            Outcome::Clean
        }
    }
}

impl Outcome {
    /// Exit code of the command.
    pub const fn exit_code(self) -> u8 {
        match self {
            Outcome::Clean => 0,
            Outcome::Discrepancy => 1,
            Outcome::Undecided => 2,
            Outcome::Error => 3,
        }
    }
}
