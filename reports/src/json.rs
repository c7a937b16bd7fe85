//! The JSON object of `check` for one file.

use std::collections::BTreeSet;

use results::{
    Blame, Finding, Gap, Outcome, Outside, OutsideFunction, ProgramCause, Report, Source, Summary, Values, WrongRow,
    schema::FINGERPRINT,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use spec::{RuleId, Severity};
use types::{Abi, Aspect, AssumedEntry, Claim, SframeVersion, SourceLine, UndecidedCause};

/// Version of the JSON format.
const CHECK_SCHEMA: u32 = 2;

/// What `check --format json` prints of one file, on a line. Later versions of the tool may add
/// keys.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "check --format json")]
pub struct Checked {
    /// Version of this shape.
    #[schemars(extend("const" = CHECK_SCHEMA))]
    schema: u32,
    /// File name as given on the command line.
    file: String,
    /// ABI of the file; null if its header cannot be read.
    abi: Option<Abi>,
    /// SFrame version; null if the file has no `.sframe`.
    sframe_version: Option<SframeVersion>,
    /// Verdict on the file.
    #[schemars(extend("enum" = ["clean", "discrepancy", "undecided", "error"]))]
    verdict: &'static str,
    /// True for a program that was not executed: only its tables were judged.
    static_only: bool,
    /// Numbers of functions, steps and findings.
    summary: Summary,
    /// Findings, of any severity.
    discrepancies: Vec<Discrepancy>,
    /// Undecided items.
    undecided: Vec<Undecided>,
    /// Functions with undecided answers, by cause.
    undecided_in: Vec<UndecidedIn>,
    /// Functions that are explored from an assumed entry, by address.
    assumed_entries: Vec<AssumedIn>,
    /// Functions that exploration did not reach completely, by address.
    unreached: Vec<UnreachedIn>,
    /// Functions without an SFrame descriptor.
    coverage: Vec<Missing>,
    /// Sections with code outside every FDE of both tables.
    outside: Vec<OutsideSection>,
    /// Exit status of the program; null if it did not exit.
    exit_status: Option<i32>,
    /// Output of the program, with `--output`.
    output: Option<String>,
    /// Remarks, as printed after `note:`.
    notes: Vec<String>,
    /// Version of sframe-conformance.
    tool_version: String,
    /// Why the file could not be judged.
    error: Option<Failed>,
}

/// A finding.
#[derive(Debug, Serialize, JsonSchema)]
struct Discrepancy {
    /// Hash of rule, blame, function and shape: independent of addresses, runs and inputs.
    #[schemars(regex(pattern = FINGERPRINT))]
    fingerprint: String,
    /// The rule that is broken.
    rule: RuleId,
    /// Severity.
    severity: Severity,
    /// The blamed producer.
    blame: Blame,
    /// Function, or section for findings about no code.
    function: String,
    /// First address of the first range; null if the finding is not about code.
    pc_start: Option<Hex>,
    /// First address after the last range.
    pc_end: Option<Hex>,
    /// Ranges of PCs that show the finding: first address, first address after it.
    ranges: Vec<(Hex, Hex)>,
    /// First range of PCs, as the file's own tools name it.
    place: String,
    /// Number of executed steps that showed it.
    steps: u64,
    /// The field that is wrong.
    field: Aspect,
    /// The true values, by execution, at the first occurrence.
    truth: Option<Given>,
    /// Values and row of `.sframe` at the first occurrence.
    sframe: Option<Given>,
    /// Values and row of `.eh_frame` at the first occurrence.
    eh_frame: Option<Given>,
    /// One sentence with the numbers.
    message: String,
    /// Section that the finding is about.
    section: String,
    /// Byte offset in that section, if the finding has one.
    offset: Option<Hex>,
    /// Line of the source, if the file has debug information.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SourceLine")]
    source: Option<SourceLine>,
    /// Entry or result of `--known` that lists the finding, which then does not affect the exit
    /// code.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    known: Option<String>,
    /// With `--known` and a ledger that has causes: those of the finding, as records of `causes`
    /// have them. All must be listed.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    #[schemars(length(min = 1))]
    causes: BTreeSet<ProgramCause>,
    /// True if execution showed it.
    executed: bool,
    /// Number of frames below the innermost.
    depth: usize,
    /// Distinct wrong rows.
    rows: Vec<WrongRowText>,
    /// True if the list of rows is truncated.
    rows_cut: bool,
    /// Hash of the wrong rows; null if the finding is not about rows.
    #[schemars(regex(pattern = FINGERPRINT))]
    rows_fingerprint: Option<String>,
}

/// Values from a table or from execution at one step.
#[derive(Debug, Serialize, JsonSchema)]
struct Given {
    /// Canonical frame address.
    cfa: Option<Hex>,
    /// Return address, without pointer authentication.
    ra: Option<Hex>,
    /// The caller's frame pointer.
    fp: Option<Hex>,
    /// The row as text, or why there is no answer.
    row: String,
}

/// A wrong row, with the addresses at which it occurs.
#[derive(Debug, Serialize, JsonSchema)]
struct WrongRowText {
    /// Ranges of addresses: first address, first address after it.
    ranges: Vec<(Hex, Hex)>,
    /// The table that is wrong.
    wrong: Source,
    /// The source that is right; null if none is known to be.
    right: Option<Source>,
    /// The row of `.sframe`.
    sframe: String,
    /// The row of `.eh_frame`.
    eh_frame: String,
    /// The true row, by execution; null if not executed.
    truth: Option<String>,
    /// The preceding row of the function in the right table, or in the wrong one if none is right.
    before: Option<String>,
    /// The following row of the same table.
    after: Option<String>,
}

/// A requested check that is undecided.
#[derive(Debug, Serialize, JsonSchema)]
struct Undecided {
    /// Reason, as listed in `reports/README.md`.
    reason: &'static str,
    /// Address, if the item has one.
    pc: Option<Hex>,
    /// One sentence.
    message: String,
}

/// A function with answers that are undecided for one cause.
#[derive(Debug, Serialize, JsonSchema)]
struct UndecidedIn {
    /// Cause.
    why: UndecidedCause,
    /// Name of the function.
    function: String,
    /// First address.
    pc_start: Hex,
    /// First address after it.
    pc_end: Hex,
    /// The first address as section and offset in an object, else in hex.
    place: String,
    /// Size of the function in bytes.
    size: u64,
    /// Number of PCs with undecided answers.
    pcs: u64,
    /// Number of undecided answers (steps).
    answers: u64,
}

/// A function that is explored from an assumed entry: no call in the file and no run shows how it
/// is entered.
#[derive(Debug, Serialize, JsonSchema)]
struct AssumedIn {
    /// Reason.
    why: AssumedEntry,
    /// Name of the function.
    function: String,
    /// First address.
    pc_start: Hex,
    /// First address after it.
    pc_end: Hex,
    /// The first address as section and offset in an object, else in hex.
    place: String,
    /// Size of the function in bytes.
    size: u64,
}

/// A function with instructions that exploration did not reach in a state that a real execution can
/// reach: no table was judged there by execution.
#[derive(Debug, Serialize, JsonSchema)]
struct UnreachedIn {
    /// Name of the function.
    function: String,
    /// First address.
    pc_start: Hex,
    /// First address after it.
    pc_end: Hex,
    /// The addresses as section and offsets in an object, else in hex.
    place: String,
    /// Number of instructions.
    instructions: u64,
    /// Number of instructions executed only in states that may be impossible.
    unconfirmed: u64,
    /// Number of instructions that were not executed.
    unreached: u64,
}

/// A function without an SFrame descriptor.
#[derive(Debug, Serialize, JsonSchema)]
struct Missing {
    /// Name of the function.
    function: String,
    /// First address.
    pc_start: Hex,
    /// First address after it.
    pc_end: Hex,
    /// The first address as section and offset in an object, else in hex.
    place: String,
    /// Why this SFrame version cannot describe the function; null if it can.
    reason: Option<String>,
    /// True if the function was executed.
    executed: bool,
}

/// A section with code outside every FDE.
#[derive(Debug, Serialize, JsonSchema)]
struct OutsideSection {
    /// Name of the section.
    section: String,
    /// Number of bytes outside every FDE, without padding between functions.
    bytes: u64,
    /// Size of the section in bytes.
    of: u64,
    /// Functions in this code, by address.
    functions: Vec<OutsideCode>,
}

/// Code outside every FDE.
#[derive(Debug, Serialize, JsonSchema)]
struct OutsideCode {
    /// Symbol of the function; empty if it has none.
    function: String,
    /// First address.
    pc_start: Hex,
    /// First address after it.
    pc_end: Hex,
    /// The first address as section and offset in an object, else in hex.
    place: String,
}

/// The error for a file that could not be judged.
#[derive(Debug, Serialize, JsonSchema)]
struct Failed {
    /// Kind of the error.
    kind: &'static str,
    /// Byte offset in the file, if the error is at one.
    offset: Option<u64>,
    /// One sentence.
    message: String,
}

/// An address in hex, `0x401000`.
#[derive(Debug, Serialize, JsonSchema)]
struct Hex(#[schemars(regex(pattern = r"^0x[0-9a-f]+$"))] String);

impl Hex {
    fn new(value: u64) -> Hex {
        Hex(format!("{value:#x}"))
    }

    fn pair((start, end): (u64, u64)) -> (Hex, Hex) {
        (Hex::new(start), Hex::new(end))
    }
}

/// The JSON object for one file.
pub fn to_json(report: &Report, outcome: Outcome, tool_version: &str) -> Value {
    json!(Checked {
        schema: CHECK_SCHEMA,
        file: report.file.clone(),
        abi: report.abi,
        sframe_version: report.sframe_version,
        verdict: outcome.name(),
        static_only: report.static_only,
        summary: report.summary,
        discrepancies: report.discrepancies.iter().map(Discrepancy::from).collect(),
        undecided: report.undecided.iter().map(Undecided::from).collect(),
        undecided_in: report.undecided_in.iter().map(UndecidedIn::from).collect(),
        assumed_entries: report.assumed.iter().map(AssumedIn::from).collect(),
        unreached: report.unreached.iter().map(UnreachedIn::from).collect(),
        coverage: report.gaps.iter().map(Missing::from).collect(),
        outside: report.outside.iter().map(OutsideSection::from).collect(),
        exit_status: report.exit_status,
        output: report.output.clone(),
        notes: report.notes.clone(),
        tool_version: tool_version.to_owned(),
        error: report.error.as_ref().map(|error| Failed {
            kind: error.kind.name(),
            offset: error.offset,
            message: error.message.clone(),
        }),
    })
}

impl From<&Finding> for Discrepancy {
    fn from(found: &Finding) -> Discrepancy {
        Discrepancy {
            fingerprint: found.fingerprint().to_owned(),
            rule: found.rule(),
            severity: found.severity,
            blame: found.blame(),
            function: found.function().to_owned(),
            pc_start: found.evidence.ranges.first().map(|(start, _)| Hex::new(*start)),
            pc_end: found.evidence.ranges.last().map(|(_, end)| Hex::new(*end)),
            ranges: found.evidence.ranges.iter().copied().map(Hex::pair).collect(),
            place: found.shown.place.clone(),
            steps: found.evidence.steps,
            field: found.evidence.field,
            truth: found.evidence.truth.as_ref().map(Given::from),
            sframe: found.evidence.sframe.as_ref().map(Given::from),
            eh_frame: found.evidence.eh_frame.as_ref().map(Given::from),
            message: found.shown.message.clone(),
            section: found.shown.section.clone(),
            offset: found.shown.offset.map(Hex::new),
            source: found.shown.source.clone(),
            known: found.standing.known.clone(),
            causes: found.evidence.causes.clone(),
            executed: found.evidence.executed,
            depth: found.evidence.depth,
            rows: found.evidence.rows.iter().map(WrongRowText::from).collect(),
            rows_cut: found.evidence.rows_cut,
            rows_fingerprint: found.rows_fingerprint(),
        }
    }
}

impl From<&WrongRow> for WrongRowText {
    fn from(row: &WrongRow) -> WrongRowText {
        let text = |claim: Option<&Claim>| claim.map(Claim::to_string);
        WrongRowText {
            ranges: row.ranges.iter().copied().map(Hex::pair).collect(),
            wrong: row.wrong,
            right: row.right,
            sframe: row.sframe.to_string(),
            eh_frame: row.eh_frame.to_string(),
            truth: text(row.truth.as_ref()),
            before: text(row.before.as_ref()),
            after: text(row.after.as_ref()),
        }
    }
}

impl From<&Values> for Given {
    fn from(values: &Values) -> Given {
        let Values { cfa, ra, fp, row } = values;
        Given { cfa: cfa.map(Hex::new), ra: ra.map(Hex::new), fp: fp.map(Hex::new), row: row.to_string() }
    }
}

impl From<&results::Undecided> for Undecided {
    fn from(item: &results::Undecided) -> Undecided {
        Undecided { reason: item.reason.name(), pc: item.pc.map(Hex::new), message: item.message.clone() }
    }
}

impl From<&results::UndecidedIn> for UndecidedIn {
    fn from(one: &results::UndecidedIn) -> UndecidedIn {
        let (start, end) = one.code;
        UndecidedIn {
            why: one.why,
            function: one.function.clone(),
            pc_start: Hex::new(start),
            pc_end: Hex::new(end),
            place: one.place.clone(),
            size: end.saturating_sub(start),
            pcs: one.pcs.len() as u64,
            answers: one.answers,
        }
    }
}

impl From<&results::AssumedIn> for AssumedIn {
    fn from(one: &results::AssumedIn) -> AssumedIn {
        let (start, end) = one.code;
        AssumedIn {
            why: one.why,
            function: one.function.clone(),
            pc_start: Hex::new(start),
            pc_end: Hex::new(end),
            place: one.place.clone(),
            size: end.saturating_sub(start),
        }
    }
}

impl From<&results::UnreachedIn> for UnreachedIn {
    fn from(one: &results::UnreachedIn) -> UnreachedIn {
        UnreachedIn {
            function: one.function.clone(),
            pc_start: Hex::new(one.counts.start),
            pc_end: Hex::new(one.counts.end),
            place: one.place.clone(),
            instructions: one.counts.instructions,
            unconfirmed: one.counts.unconfirmed,
            unreached: one.counts.unreached,
        }
    }
}

impl From<&Outside> for OutsideSection {
    fn from(outside: &Outside) -> OutsideSection {
        OutsideSection {
            section: outside.section.clone(),
            bytes: outside.bytes,
            of: outside.of,
            functions: outside.functions.iter().map(OutsideCode::from).collect(),
        }
    }
}

impl From<&OutsideFunction> for OutsideCode {
    fn from(code: &OutsideFunction) -> OutsideCode {
        OutsideCode {
            function: code.function.clone(),
            pc_start: Hex::new(code.code.0),
            pc_end: Hex::new(code.code.1),
            place: code.place.clone(),
        }
    }
}

impl From<&Gap> for Missing {
    fn from(gap: &Gap) -> Missing {
        Missing {
            function: gap.function.clone(),
            pc_start: Hex::new(gap.code.0),
            pc_end: Hex::new(gap.code.1),
            place: gap.place.clone(),
            reason: gap.reason.clone(),
            executed: gap.executed,
        }
    }
}
