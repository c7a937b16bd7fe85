//! Makes the bundle for a reduced text: the commands that show the finding, readelf's output, and
//! the affected versions.

mod gap;
mod linking;
mod program;
mod section;
mod words;

pub use linking::describe_linking;
pub use program::WrongProgram;
use program::complaint;
pub(crate) use program::is_whole;
pub use section::{BundleTexts, ReaderBundleError, describe_section, section_files};
pub use words::Words;

use std::collections::BTreeMap;
use std::time::Duration;

use ledger::bundles::sha256;
use reports::bundle::Filing;
use results::bundle::{
    Banner, Bundle, Check, Column, Command, Culprit, Others, Provenance, ReducedFinding, Size, Source,
};
use results::{Blame, Finding, Key, ToolVersion, Values};
use spec::{RuleGroup, RuleId};
use toolchain::complaint::{Complaint, PLAIN};
use toolchain::entry::{Kind, ProducerEntry, Step};
use toolchain::files::Files;
use toolchain::graph::{Graph, Node, NodeResult};
use toolchain::process;
use toolchain::producers::Producers;
use toolchain::tool::Tool;
use types::{Aspect, Bytes, CfaRule, Image, Location, Reg, SframeVersion, ValueRule};

use super::bench::{Bench, BenchError, Form, OBJECT, REPRO};
use super::identity::{FieldForm, Identity};

/// Time limit of readelf, which takes a tenth of it or less for a small object.
const LIMIT: Duration = Duration::from_secs(10);

/// Describes a text that shows `identity`, and tests it with the other versions in `producers`.
///
/// # Errors
/// It does not show the finding, or files cannot be written.
pub fn describe(
    producers: &Producers,
    bench: &Bench,
    text: &str,
    identity: &Identity,
    repro: &str,
    words: Words,
    origin: Origin,
) -> Result<Filing, BenchError> {
    let seen = bench.judge(text)?;
    if !seen.shows(identity) {
        return Err(BenchError::NotShown(identity.to_string()));
    }
    let finding = seen.finding(identity).cloned();
    let culprit = culprit(bench, finding.as_ref(), seen.failure());
    let mut files = vec![(repro.to_owned(), text.to_owned())];
    files.extend(bench.start()?);
    let graph = bench.graph(repro, text)?;
    let mut commands = commands(&graph)?;
    let outcomes = graph.build();
    let printed = match identity {
        Identity::Failure(printed) => {
            let failed = failed(&graph, &outcomes);
            if let Some((at, _)) = &failed {
                commands.truncate(at + 1);
            }
            Some(failed.map_or_else(|| printed.clone(), |(_, printed)| printed))
        }
        Identity::Finding(_) => None,
    };
    let (check, printed) = match (&finding, printed) {
        (_, Some(printed)) => {
            let word = Complaint(&printed).word();
            let says = if word == PLAIN { complaint(&printed) } else { word.to_owned() };
            (Check::failure(&says), Some(printed))
        }
        (Some(found), None) => seen_by(producers, bench, found, &outcomes),
        (None, None) => (Check::Rule { options: Vec::new() }, None),
    };
    // readelf prints the rows of an object, whatever was executed.
    let object = graph.nodes().iter().position(|node| node.output == OBJECT);
    if let (Check::Row { .. }, Some(at)) = (&check, object) {
        commands.truncate(at + 1);
    }
    let others = culprit.map_or(Ok(Others::default()), |tool| others(producers, bench, tool, text, identity))?;
    let tools = bench.tools().into_iter();
    let bundle = Bundle {
        title: words.title.clone().unwrap_or_else(|| title(identity, finding.as_ref())),
        culprit: culprit.or(tools.clone().last()).map_or_else(|| nobody(producers, bench.key()), culprit_of),
        abi: bench.abi(),
        targets: vec![bench.abi()],
        sframe: SframeVersion::named(&bench.key().sframe),
        note: words.note.clone().unwrap_or_default(),
        clause: words.clause(finding.as_ref(), SframeVersion::named(&bench.key().sframe)),
        sources: files.iter().map(|(name, text)| source(name, text.as_bytes())).collect(),
        commands,
        check,
        printed,
        expected: None,
        finding: finding.as_ref().map(ReducedFinding::from),
        tools: tools.map(banner).collect(),
        others,
        found: origin.found(bench.key(), finding.as_ref()),
        entry: None,
        remark: None,
    };
    let texts = files.into_iter().map(|(_, text)| text).collect();
    Ok(Filing { bundle, texts, upstream: None }.without_unused())
}

/// Origin of a reproducer: a reduction, or a person's work.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The trial, if the source is from one.
    pub trial: Option<String>,
    /// Size before the reduction.
    pub before: Option<Size>,
    /// Size after the reduction; `None` if the source was not reduced.
    pub after: Option<Size>,
    /// True if a person wrote the source.
    pub by_hand: bool,
}

impl Origin {
    fn found(self, key: &Key, finding: Option<&Finding>) -> Provenance {
        let by = match finding {
            None => "a failed build",
            Some(found) if found.rule().group() == RuleGroup::Build => "a failed build",
            Some(found) if found.evidence.executed => "execution",
            Some(found) if found.evidence.field == Aspect::Structure => "structure",
            Some(_) => "the tables against each other",
        };
        let by = format!("{by}, {}/{}", key.topic, key.case);
        let Origin { trial, before, after, by_hand } = self;
        Provenance { by, trial, before, after, by_hand, why: None }
    }
}

fn source(name: &str, bytes: &[u8]) -> Source {
    Source { name: name.to_owned(), sha256: sha256(bytes), code_of: None }
}

fn culprit_of(tool: &Tool) -> Culprit {
    culprit_from_entry(&tool.entry, &tool.version)
}

fn culprit_from_entry(entry: &ProducerEntry, version: &ToolVersion) -> Culprit {
    Culprit { name: entry.called().to_owned(), version: version.clone(), bugzilla: entry.bugzilla.clone() }
}

/// The trial's own tool, if none took part.
fn nobody(producers: &Producers, key: &Key) -> Culprit {
    let entry = producers.entries().find(|entry| entry.name == key.producer);
    let unknown = || Culprit { name: key.producer.clone(), version: key.version.clone(), bugzilla: None };
    entry.map_or_else(unknown, |entry| culprit_from_entry(entry, &key.version))
}

/// The tool to blame, of the kind that the blame or the failed command gives.
fn culprit<'a>(bench: &'a Bench, found: Option<&Finding>, failure: Option<&str>) -> Option<&'a Tool> {
    let tools = bench.tools();
    let kind = match (found.map(Finding::blame), failure) {
        (Some(Blame::Compiler), _) => Kind::Compiler,
        (Some(Blame::Linker), _) => Kind::Linker,
        (Some(_), _) => Kind::Assembler,
        (None, Some(printed)) => {
            let program = printed.split_whitespace().next().unwrap_or_default();
            let ran = |tool: &&&Tool| tool.program.file_name().is_some_and(|name| name.to_string_lossy() == program);
            return tools.iter().find(ran).or(tools.last()).copied();
        }
        (None, None) => return None,
    };
    tools.iter().find(|tool| tool.entry.kind == kind).or(tools.first()).copied()
}

/// First non-empty line of a tool's version output.
fn banner(tool: &Tool) -> Banner {
    let (name, printed) = (tool.entry.called().to_owned(), tool.banner.trim());
    let says = if printed.is_empty() { format!("{name} {}", tool.version) } else { printed.to_owned() };
    Banner { name, says }
}

/// The commands from the sources to the file that shows the finding, in build order.
fn commands(graph: &Graph) -> Result<Vec<Command>, BenchError> {
    let variable = |node: &Node| match node.tool.entry.kind {
        Kind::Compiler => "CC",
        Kind::Linker => "LD",
        Kind::Assembler | Kind::PostProcessor => "AS",
    };
    graph.nodes().iter().map(|node| command(node, variable(node))).collect()
}

/// A command in a script: its program is a variable.
fn command(node: &Node, variable: &str) -> Result<Command, BenchError> {
    let words = node.words()?;
    let program = node.tool.program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Command { variable: variable.to_owned(), program, words: words.into_iter().skip(1).collect() })
}

/// Maximum number of lines quoted from a tool's output.
const MOST_LINES: usize = 6;

/// Index of the first command that fails, and its output without the folder of its program.
fn failed(graph: &Graph, outcomes: &BTreeMap<String, NodeResult>) -> Option<(usize, String)> {
    let mut ended = graph.nodes().iter().map(|node| (node, outcomes.get(&node.output)));
    let at = ended.position(|(_, outcome)| !matches!(outcome, Some(NodeResult::Made(..))))?;
    let node = graph.nodes().get(at)?;
    let printed = match outcomes.get(&node.output)? {
        NodeResult::Broken(error) => error.to_string(),
        NodeResult::Made(..) | NodeResult::Lacking => String::new(),
        NodeResult::Refused(ran) | NodeResult::Fails(ran, _) => {
            let path = node.tool.program.parent().map(|folder| format!("{}/", folder.display())).unwrap_or_default();
            let how = ran.finished.signal.map(|signal| format!("ended by signal {signal}"));
            let lines = ran.finished.stderr.lines().chain(ran.finished.stdout.lines()).take(MOST_LINES);
            let lines = lines.map(|line| line.replace(&path, ""));
            how.into_iter().chain(lines).collect::<Vec<_>>().join("\n")
        }
    };
    Some((at, printed))
}

/// How a script detects a finding, and the output that shows it: the compiler's own assembly, or
/// readelf if the row of an object shows it, else this program.
fn seen_by(
    producers: &Producers,
    bench: &Bench,
    found: &Finding,
    outcomes: &BTreeMap<String, NodeResult>,
) -> (Check, Option<String>) {
    if found.rule() == RuleId::ElfSegment {
        return (Check::NoSegment, None);
    }
    let made = |name: &str| match outcomes.get(name) {
        Some(NodeResult::Made(bytes, _)) => Some(bytes),
        Some(NodeResult::Refused(_) | NodeResult::Fails(..) | NodeResult::Broken(_) | NodeResult::Lacking) | None => {
            None
        }
    };
    let image = |name: &str| elf::load(name, made(name)?).ok();
    let executed = || image(if bench.form() == Form::Linked { REPRO } else { OBJECT });
    let by_compiler = (bench.is_c() && found.blame() == Blame::Compiler).then(|| {
        let assembly = String::from_utf8_lossy(made(&format!("{}.s", bench.stem()))?).into_owned();
        gap::gap(&assembly, &executed()?, found)
    });
    if let Some((check, quoted)) = by_compiler.flatten() {
        return (check, Some(quoted));
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
    seen().unwrap_or_else(|| {
        let printed = format!("{}: {}: {}", found.severity, found.rule(), found.headline());
        (Check::Rule { options: Vec::new() }, Some(printed))
    })
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
        Aspect::Structure | Aspect::Coverage => return None,
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
fn readelf(tool: &Tool, file: &Bytes) -> Option<String> {
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
        Aspect::Structure | Aspect::Coverage => None,
    };
    // Where no row can have it, the function has to be omitted.
    own.or_else(|| row.term(field).map(|term| format!("{term}, or no row"))).unwrap_or_else(none)
}

/// Other versions of the blamed producer, and whether they show the finding.
fn others(
    producers: &Producers,
    bench: &Bench,
    culprit: &Tool,
    text: &str,
    identity: &Identity,
) -> Result<Others, BenchError> {
    let tools = producers.tools(&culprit.entry.name, bench.abi()).unwrap_or_default();
    let mut others = Others::default();
    for tool in tools.iter().filter(|tool| tool.version != culprit.version) {
        if culprit.entry.kind == Kind::Assembler && tool.sframe().is_empty() {
            continue;
        }
        // The other tools have the same version, because an older linker does not merge a newer
        // assembler's output.
        let beside = match culprit.entry.kind {
            Kind::Linker => {
                bench.tools().into_iter().find(|other| other.entry.kind == Kind::Assembler).and_then(|other| {
                    let all = producers.tools(&other.entry.name, bench.abi()).unwrap_or_default();
                    all.iter().find(|other| other.version == tool.version).cloned()
                })
            }
            _ => producers.partner(tool, Kind::Linker, |linker| linker.can(Step::Link)).cloned(),
        };
        let seen = bench.with_tool(tool, beside, text)?.judge(text)?;
        // Another version may be wrong there in another way: this does not make it a correct
        // version.
        let alike = seen.findings.iter().any(|found| Identity::from_finding(found).is_like(identity));
        let shows = match (alike || seen.shows(identity), seen.is_made()) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        };
        others.add(&tool.version, shows);
    }
    Ok(others)
}

/// Default title.
fn title(identity: &Identity, found: Option<&Finding>) -> String {
    match (identity, found) {
        (Identity::Failure(printed), _) => {
            printed.trim_end_matches(" at").trim_end_matches([' ', ':', '.', ',']).to_owned()
        }
        (Identity::Finding(relation), Some(found)) if relation.said != FieldForm::None => {
            let term = |values: &Option<Values>| {
                let row = values.as_ref().and_then(|values| values.row.equations());
                row.and_then(|row| row.term(found.evidence.field)).unwrap_or_default()
            };
            let holds = if relation.eh_frame_is_right { &found.evidence.eh_frame } else { &found.evidence.truth };
            let field = found.evidence.field.name().to_ascii_uppercase();
            format!("{field} is {}, expected {}", term(&found.evidence.sframe), term(holds))
        }
        // Words of the rule, if there is no row to describe.
        (Identity::Finding(relation), Some(found)) if relation.breach.is_empty() => {
            first_sentence(&found.shown.message)
        }
        (Identity::Finding(relation), _) => format!("{} ({})", relation.breach, relation.class),
    }
}

fn first_sentence(text: &str) -> String {
    text.split(". ").next().unwrap_or_default().trim_end_matches('.').to_owned()
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
