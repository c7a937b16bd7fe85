//! What shows a finding in the output of a tool: a row of readelf, lines of a compiler's assembly.

use std::collections::BTreeMap;
use std::time::Duration;

use results::bundle::{Check, Column};
use results::{Blame, Finding, Values};
use spec::RuleId;
use toolchain::entry::Kind;
use toolchain::files::Files;
use toolchain::graph::NodeResult;
use toolchain::process;
use toolchain::producers::Producers;
use toolchain::tool::Tool;
use types::{Aspect, Bytes, CfaRule, Image, Location, Reg, ValueRule};

use super::gap;
use crate::bench::{Bench, Form, OBJECT, REPRO};

/// Time limit of readelf, which takes a tenth of it or less for a small object.
const LIMIT: Duration = Duration::from_secs(10);

/// How a script detects a finding.
pub(super) struct Seen {
    pub(super) check: Check,
    /// The output that shows it.
    pub(super) printed: Option<String>,
}

/// The ways in which a script can detect a finding, the best first: the compiler's own assembly;
/// readelf if the row of an object shows it, or how many functions have one; this program.
pub(super) fn seen_by(
    producers: &Producers,
    bench: &Bench,
    text: &str,
    found: &Finding,
    outcomes: &BTreeMap<String, NodeResult>,
) -> Vec<Seen> {
    if found.rule() == RuleId::ElfSegment {
        return vec![Seen { check: Check::NoSegment, printed: None }];
    }
    let made = |name: &str| match outcomes.get(name) {
        Some(NodeResult::Made(bytes, _)) => Some(bytes),
        Some(NodeResult::Refused(_) | NodeResult::Fails(..) | NodeResult::Broken(_) | NodeResult::Lacking) | None => {
            None
        }
    };
    let image = |name: &str| elf::load(name, made(name)?).ok();
    let executed = || image(if bench.form() == Form::Linked { REPRO } else { OBJECT });
    let mut ways = Vec::new();
    let by_compiler = (bench.is_c() && found.blame() == Blame::Compiler).then(|| {
        let assembly = String::from_utf8_lossy(made(&format!("{}.s", bench.stem()))?).into_owned();
        gap::gap(&assembly, &executed()?, found)
    });
    if let Some((check, quoted)) = by_compiler.flatten() {
        ways.push(Seen { check, printed: Some(quoted) });
    }
    if found.rule() == RuleId::CoverageSilent {
        let compiled = made(&format!("{}.s", bench.stem())).map(|bytes| String::from_utf8_lossy(bytes));
        let functions = compiled.as_deref().unwrap_or(text).matches(".cfi_startproc").count();
        ways.push(Seen { check: Check::Silence { functions }, printed: None });
    }
    let pc = match bench.form() {
        Form::Object | Form::Explored => Some(in_section(&found.shown.place)),
        Form::Linked => image(REPRO).and_then(|image| in_text(&image, found)),
    };
    let seen = || {
        let (pc, object) = (pc?, made(OBJECT)?);
        let own = bench.tools().last().copied();
        let assemblers = producers.of_kind(Kind::Assembler);
        let all: Vec<&Tool> =
            assemblers.flat_map(|entry| producers.tools(&entry.name, bench.abi()).unwrap_or_default()).collect();
        // The newest is the last.
        own.into_iter().chain(all.into_iter().rev()).find_map(|tool| row_seen(tool, found, pc, object))
    };
    ways.extend(seen().map(|(check, printed)| Seen { check, printed }));
    let printed = format!("{}: {}: {}", found.severity, found.rule(), found.headline());
    // As the bench judges it: exploration may report it otherwise.
    let execution = match bench.form() {
        Form::Object => "--static",
        Form::Explored => "--explore",
        Form::Linked => "--no-explore",
    };
    ways.push(Seen { check: Check::Rule { options: vec![execution.to_owned()] }, printed: Some(printed) });
    ways
}

/// The offset in the section of the code at which a finding is shown, in a program whose first
/// object has the function.
fn in_text(image: &Image, found: &Finding) -> Option<u64> {
    let pc = found.evidence.at.or(found.evidence.ranges.first().map(|range| range.0))?;
    pc.checked_sub(image.section_at(pc)?.address)
}

/// A wrong row in the output of the readelf that belongs to a tool, with its function; `None` if
/// there is no readelf, or no row for this PC.
fn row_seen(tool: &Tool, found: &Finding, pc: u64, file: &Bytes) -> Option<(Check, Option<String>)> {
    let column = match found.evidence.field {
        Aspect::Cfa => Column::Cfa,
        Aspect::Fp => Column::Fp,
        Aspect::Ra => Column::Ra,
        Aspect::Registers | Aspect::Structure | Aspect::Coverage => return None,
    };
    let holds = if found.blame() == Blame::Compiler { &found.evidence.truth } else { &found.evidence.eh_frame };
    let right = expected(holds.as_ref()?, found.evidence.field);
    let printed = readelf(tool, file)?;
    let wrong = cell(&printed, pc, column).filter(|wrong| *wrong != right)?;
    Some((Check::Row { pc, section: None, column, wrong, or: Vec::new(), right }, function(&printed, pc)))
}

/// The part of readelf's output about the function with the last row that begins at or before a PC:
/// the paragraph from `func idx` on, without indentation.
fn function(printed: &str, pc: u64) -> Option<String> {
    let starts = |line: &str| row_start(line).is_some_and(|start| start <= pc);
    let functions = printed.split("\n\n").filter(|part| part.trim_start().starts_with("func idx"));
    let last = functions.filter(|part| part.lines().any(starts)).last()?;
    Some(last.lines().map(str::trim).collect::<Vec<_>>().join("\n").trim().to_owned())
}

/// Start of the row in a line of readelf.
fn row_start(line: &str) -> Option<u64> {
    let start = line.split_whitespace().next().filter(|cell| cell.len() == 16)?;
    u64::from_str_radix(start, 16).ok()
}

/// Output for a file's table of the readelf that belongs to a tool; `None` if there is no readelf.
pub(super) fn readelf(tool: &Tool, file: &Bytes) -> Option<String> {
    let readelf = tool.program.with_file_name(format!("{}-readelf", tool.abi.facts().gnu_triplet));
    let mut files = Files::default();
    files.put(OBJECT, file.clone());
    let folder = files.folder().ok()?;
    let ran = process::run_within(&readelf.display().to_string(), &["--sframe", OBJECT], folder, LIMIT).ok()?;
    Some(ran.stdout)
}

/// Offset of a position in its section: 1 for `.text+0x1..0x2`.
fn in_section(place: &str) -> u64 {
    let start = place.split("..").next().unwrap_or_default();
    let offset = start.rsplit_once("+0x").and_then(|(_, digits)| u64::from_str_radix(digits, 16).ok());
    offset.unwrap_or(0)
}

/// A column of the last row that begins at or before a PC, as the bundle's script finds it.
fn cell(printed: &str, pc: u64, column: Column) -> Option<String> {
    let mut rows = printed.lines().filter_map(|line| {
        let start = row_start(line)?;
        let cell = line.split_whitespace().nth(column.number().checked_sub(1)?);
        (start <= pc).then(|| cell.map(str::to_owned))
    });
    rows.next_back().flatten()
}

/// Expected output of readelf for a field of an `.eh_frame` row.
fn expected(values: &Values, field: Aspect) -> String {
    let none = || "none".to_owned();
    let Some(row) = values.row.equations() else { return none() };
    let facts = row.abi.facts();
    // readelf has its own names for the two registers that are a base in every version.
    let sum = |reg: Reg, offset: i64| match reg {
        reg if reg == facts.sp => Some(format!("sp{offset:+}")),
        reg if reg == facts.fp => Some(format!("fp{offset:+}")),
        _ => None,
    };
    let home = |home: Location| match home {
        Location::Rule(ValueRule::SameValue) => Some("u".to_owned()),
        // If a call pushes the return address its offset is fixed and not in rows.
        Location::Rule(ValueRule::AtCfa(offset))
            if field == Aspect::Ra && !facts.link_register && offset == -facts.cfa_minus_sp_at_entry =>
        {
            Some("f".to_owned())
        }
        Location::Rule(ValueRule::AtCfa(offset)) => Some(format!("c{offset:+}")),
        Location::Rule(ValueRule::Register { reg, offset }) => sum(reg, offset),
        Location::Rule(
            ValueRule::Undefined | ValueRule::CfaPlus(_) | ValueRule::Memory { .. } | ValueRule::Expression(_),
        )
        | Location::Elsewhere => None,
    };
    let own = match field {
        Aspect::Cfa => match row.cfa {
            CfaRule::Register { reg, offset } => sum(reg, offset),
            CfaRule::Memory { .. } | CfaRule::Expression(_) | CfaRule::Unspecified => None,
        },
        Aspect::Ra => home(row.ra),
        Aspect::Fp => home(row.fp),
        Aspect::Registers | Aspect::Structure | Aspect::Coverage => None,
    };
    // Where no row can have it, the function has to be omitted.
    own.or_else(|| row.term(field).map(|term| format!("{term}, or no row"))).unwrap_or_else(none)
}

#[cfg(test)]
mod tests {
    use results::Values;
    use types::{Abi, Aspect, CfaRule, Claim, Equations, Location, Reg, ValueRule};

    use results::bundle::Column;

    use super::{cell, expected, function, in_section};

    #[test]
    fn a_cell_is_that_of_the_last_row_before_the_pc() {
        let printed = "    STARTPC         CFA       FP        RA\n    0000000000000015  sp+8      u         f\n    \
                       000000000000001e  sp+0      c-16      r0+0\n";
        assert_eq!(cell(printed, 0x15, Column::Cfa).as_deref(), Some("sp+8"));
        assert_eq!(cell(printed, 0x1d, Column::Ra).as_deref(), Some("f"));
        assert_eq!(cell(printed, 0x1e, Column::Fp).as_deref(), Some("c-16"));
        assert_eq!(cell(printed, 0x14, Column::Cfa), None);
    }

    #[test]
    fn a_function_is_quoted_as_readelf_prints_it() {
        let printed = "  Function Index :\n\n    func idx [0]: pc = 0x0, size = 0 bytes\n    STARTPC   CFA\n    0000000000000000  sp+8  \n\n    \
                       func idx [1]: pc = 0x0, size = 4 bytes\n    STARTPC   CFA\n    0000000000000001  sp+16  \n\n";
        assert_eq!(
            function(printed, 3).as_deref(),
            Some("func idx [1]: pc = 0x0, size = 4 bytes\nSTARTPC   CFA\n0000000000000001  sp+16")
        );
        assert_eq!(function("", 3), None);
    }

    #[test]
    fn a_place_in_an_object_is_an_offset() {
        assert_eq!(in_section(".text+0x1f..0x2"), 0x1f);
        assert_eq!(in_section(".text..0x2"), 0);
        assert_eq!(in_section(".te..xt"), 0);
    }

    #[test]
    fn what_is_expected_is_written_as_readelf_writes_it() {
        let (sp, fp) = (|abi: Abi| abi.facts().sp, |abi: Abi| abi.facts().fp);
        let cfa = |reg, offset| CfaRule::Register { reg, offset };
        let (same, amd64, aarch64) = (ValueRule::SameValue, Abi::Amd64, Abi::Aarch64);
        for (abi, rule, ra, fp, field, expected_text) in [
            (amd64, cfa(sp(amd64), 8), ValueRule::AtCfa(-8), same, Aspect::Cfa, "sp+8"),
            (amd64, cfa(fp(amd64), 16), ValueRule::AtCfa(-8), same, Aspect::Cfa, "fp+16"),
            (aarch64, cfa(sp(aarch64), 0), same, same, Aspect::Cfa, "sp+0"),
            (amd64, cfa(sp(amd64), 8), ValueRule::AtCfa(-8), same, Aspect::Ra, "f"),
            (
                amd64,
                cfa(sp(amd64), 8),
                ValueRule::Memory { reg: Reg(11), offset: 8 },
                same,
                Aspect::Ra,
                "[r11+8], or no row",
            ),
            (aarch64, cfa(sp(aarch64), 16), ValueRule::AtCfa(-8), ValueRule::AtCfa(-16), Aspect::Fp, "c-16"),
            (aarch64, cfa(sp(aarch64), 16), same, ValueRule::AtCfa(-16), Aspect::Ra, "u"),
        ] {
            let (ra, fp) = (Location::Rule(ra), Location::Rule(fp));
            let row =
                Equations { abi, cfa: rule, ra, fp, sp: None, signed_by: None, signed_with_pc: false, signal: false };
            let values = Values::from_row(Claim::Row(row, None));
            assert_eq!(expected(&values, field), expected_text, "{}", values.row);
        }
    }
}
