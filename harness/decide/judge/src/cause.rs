//! Derives causes from findings in a program: what is the same wherever one bug shows.

use std::collections::BTreeSet;

use isa::Disassembler;
use results::{Blame, Cause, Finding, ProgramCause, RepairEdit, without_numbers};
use types::{Abi, Image, Pc, Symbol};

/// Adds the causes to errors that have none yet. One with too many rows gets none, since others
/// would be missing.
pub(crate) fn add(image: &Image, findings: &mut [Finding]) {
    let needs_one = |found: &Finding| found.is_error() && found.evidence.causes.is_empty() && !found.evidence.rows_cut;
    let causes: Vec<BTreeSet<ProgramCause>> = findings
        .iter()
        .map(|found| if needs_one(found) { from_finding(found, findings, image) } else { BTreeSet::new() })
        .collect();
    for (found, causes) in findings.iter_mut().zip(causes).filter(|(_, causes)| !causes.is_empty()) {
        found.evidence.causes = causes;
    }
}

/// The causes of a finding among all of a file: those of the row that broke a walk; one for each
/// edit of a repair; else one for each way in which a row is wrong, so that none hides another.
pub fn from_finding(found: &Finding, all: &[Finding], image: &Image) -> BTreeSet<ProgramCause> {
    let found = found.follows(all).unwrap_or(found);
    let edits = found.evidence.repair.as_ref().map(|repair| repair.edits()).unwrap_or_default();
    if edits.is_empty() {
        return from_rows(found, image);
    }
    let from_edit = |edit: &RepairEdit| {
        let (arch, rule) = (arch(image.abi).to_owned(), ProgramCause::REPAIR.to_owned());
        let (shape, after) = (edit.normal_form.clone(), edit.frame.clone());
        ProgramCause { arch, rule, blame: found.blame(), shape, after }
    };
    edits.iter().map(from_edit).collect()
}

/// The causes of a finding without a repair.
pub fn from_rows(found: &Finding, image: &Image) -> BTreeSet<ProgramCause> {
    if found.evidence.rows.is_empty() {
        return Cause::from_rows(found).into_iter().map(|cause| new(found, image, cause.shape, None)).collect();
    }
    let mut causes = BTreeSet::new();
    for row in &found.evidence.rows {
        let mut alone = found.clone();
        alone.evidence.rows = vec![row.clone()];
        // A row that differs from another only in numbers has no range of its own.
        let first = row.ranges.first().or(found.evidence.ranges.first()).map(|range| range.0);
        causes.extend(Cause::from_rows(&alone).into_iter().map(|cause| new(found, image, cause.shape, first)));
    }
    causes
}

/// Cause of a failure of a tool.
pub fn from_tool(abi: Abi, blame: Blame, rule: &str, message: &str) -> ProgramCause {
    let (arch, rule, shape) = (arch(abi).to_owned(), rule.to_owned(), without_numbers(message));
    ProgramCause { arch, rule, blame, shape, after: String::new() }
}

fn new(found: &Finding, image: &Image, shape: String, first: Option<u64>) -> ProgramCause {
    let name = found.rule().name();
    // Both tables are wrong in the same way, or `.eh_frame` alone if `.sframe` omits the function.
    let rule = name.strip_prefix("row/").or(name.strip_prefix("eh-frame/")).unwrap_or(name).to_owned();
    let after = first.map_or(String::new(), |pc| before(image, pc));
    ProgramCause { arch: arch(image.abi).to_owned(), rule, blame: found.blame(), shape, after }
}

/// Name of an ABI's architecture.
pub fn arch(abi: Abi) -> &'static str {
    match abi {
        Abi::Amd64 => "amd64",
        Abi::Aarch64 | Abi::Aarch64Be => "aarch64",
        Abi::S390x => "s390x",
    }
}

/// The instruction before an address, in the same function or block section.
fn before(image: &Image, pc: u64) -> String {
    // LLVM gives the symbols of block sections no type.
    let holds = |symbol: &&Symbol| (symbol.address..symbol.address.saturating_add(symbol.size)).contains(&pc);
    let function = image.function_at(Pc(pc)).or_else(|| image.symbols.iter().rev().find(holds));
    let Some(function) = function else { return String::new() };
    let around = Disassembler::new(image).around(function.address, pc, 1, 1);
    let before = around.iter().find(|one| one.pc < pc && one.pc + one.length == pc);
    before.map_or(String::new(), |one| plain(image.abi, &one.text))
}

/// An instruction's text without numbers, with `R` and `V` for registers that have no role in a
/// frame, and on AMD64 `S` for callee-saved ones.
pub fn plain(abi: Abi, text: &str) -> String {
    let mut plain = String::new();
    let mut word = String::new();
    for c in text.chars().chain(std::iter::once(' ')) {
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        // A mnemonic is not a register.
        let known = plain.is_empty();
        plain.push_str(if known { &word } else { role(abi, &word) });
        word.clear();
        plain.push(c);
    }
    without_numbers(plain.trim_end())
}

/// Replacement for a word of an operand.
fn role(abi: Abi, word: &str) -> &str {
    let numbered = |letters: &[char]| {
        let rest = word.strip_prefix(letters);
        rest.is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()))
    };
    match abi {
        Abi::Amd64 => {
            let legacy = |names: &[&str]| names.iter().any(|name| word.ends_with(name) && word.len() <= 3);
            let new = || word.strip_prefix('r').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            match word {
                // The argument pointer of a realigned frame, and the static chain.
                "r10" => word,
                _ if legacy(&["bx"]) || ["r12", "r13", "r14", "r15"].iter().any(|name| word.starts_with(name)) => "S",
                _ if legacy(&["ax", "cx", "dx", "si", "di"]) || new() => "R",
                _ if word.starts_with("xmm") || word.starts_with("ymm") => "V",
                _ => word,
            }
        }
        Abi::Aarch64 | Abi::Aarch64Be => match word {
            "x29" | "x30" | "x18" => word,
            _ if numbered(&['x', 'w']) => "R",
            _ if numbered(&['d', 'q', 's', 'v']) => "V",
            _ => word,
        },
        Abi::S390x => match word {
            "r11" | "r14" | "r15" => word,
            _ if numbered(&['r']) => "R",
            _ if numbered(&['f', 'v']) => "V",
            _ => word,
        },
    }
}
