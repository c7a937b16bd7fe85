//! Makes the bundle for a reduced text: the commands that show the finding, readelf's output, and
//! the affected versions.

mod core_file;
mod gap;
mod judged_file;
mod linking;
mod printed;
mod program;
mod section;
mod setup;
mod words;

pub use judged_file::JudgedFile;
pub use linking::describe_linking;
pub use program::WrongProgram;
use program::complaint;
pub(crate) use program::{REFUSED, is_whole};
pub use section::{BundleTexts, ReaderBundleError, describe_section, section_files};
pub use setup::{Described, Programs, References, Setup};
pub use words::Words;

use std::collections::BTreeMap;

use ledger::bundles::sha256;
use results::bundle::{Banner, Bundle, Check, Command, Culprit, Filing, Provenance, ReducedFinding, Size, Source};
use results::{Blame, Finding, Key, ToolVersion, Values};
use spec::{RuleGroup, RuleId};
use toolchain::complaint::{Complaint, PLAIN};
use toolchain::entry::{Kind, ProducerEntry, Step};
use toolchain::graph::{Graph, Node, NodeResult};
use toolchain::tool::Tool;
use types::{Aspect, SframeVersion};

use super::bench::{Bench, BenchError, OBJECT};
use super::identity::{FieldForm, Identity};
use printed::{Seen, seen_by};
use setup::Made;

/// Describes a text that shows `identity`, and tests it with other versions.
pub fn describe(
    references: &References,
    bench: &Bench,
    text: &str,
    identity: &Identity,
    repro: &str,
    words: Words,
    origin: Origin,
) -> Result<Described, BenchError> {
    let seen = bench.observe(text)?;
    if !seen.shows(identity) {
        return Err(BenchError::NotShown(identity.to_string()));
    }
    let finding = seen.finding(identity).cloned();
    let culprit = culprit(bench, finding.as_ref(), seen.failure());
    let mut files = vec![(repro.to_owned(), text.to_owned())];
    files.extend(bench.further_sources()?);
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
    let ways = match (&finding, printed) {
        (_, Some(printed)) => {
            let word = Complaint(&printed).word();
            let says = if word == PLAIN { complaint(&printed) } else { word.to_owned() };
            vec![Seen { check: Check::failure(&says), printed: Some(printed) }]
        }
        (Some(found), None) => seen_by(&references.producers, bench, text, found, &outcomes),
        (None, None) => vec![Seen { check: Check::Rule { options: Vec::new() }, printed: None }],
    };
    let tools = bench.tools();
    let tested = culprit.or(tools.last().copied());
    let made = culprit.map_or(Ok(Made::default()), |tool| others(references, bench, tool, text, identity))?;
    // readelf prints the rows of an object, whatever was executed.
    let object = graph.nodes().iter().position(|node| node.output == OBJECT);
    let filing = |way: Seen| {
        let Seen { check, printed } = way;
        let mut commands = commands.clone();
        if let (Check::Row { .. } | Check::Silence { .. }, Some(at)) = (&check, object) {
            commands.truncate(at + 1);
        }
        let bundle = Bundle {
            title: words.title.clone().unwrap_or_else(|| title(identity, finding.as_ref())),
            culprit: tested.map_or_else(|| nobody(references, bench.key()), culprit_of),
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
            program: None,
            finding: finding.as_ref().map(ReducedFinding::from),
            tools: tools.iter().map(|tool| banner(tool)).collect(),
            others: made.others.clone(),
            tried: Vec::new(),
            found: origin.clone().found(bench.key(), finding.as_ref()),
            entry: None,
            remark: None,
        };
        let texts = files.iter().map(|(_, text)| text.clone()).collect();
        Filing { bundle, texts, program: None, upstream: None }.without_unused()
    };
    let filings = ways.into_iter().map(filing).collect();
    let tested = Setup::new(references, bench.abi(), tested, &self::commands(&graph)?, &graph);
    Ok(Described { filings, tested, without: made.without })
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
    Culprit {
        name: entry.called().to_owned(),
        version: version.clone(),
        bugzilla: entry.bugzilla.clone(),
        own_build: entry.in_place_of.is_some(),
    }
}

/// The trial's own tool, if none took part.
fn nobody(references: &References, key: &Key) -> Culprit {
    let entry = references.producers.entries().find(|entry| entry.name == key.producer);
    let unknown =
        || Culprit { name: key.producer.clone(), version: key.version.clone(), bugzilla: None, own_build: false };
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
    let own = node.tool.program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    // A person's own build is on no other machine.
    let usual = node.tool.entry.in_place_of.as_ref().and_then(|programs| programs.get(node.tool.abi)?.first());
    let program = usual.and_then(|usual| usual.rsplit('/').next()).map_or(own, str::to_owned);
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

/// Other versions of the blamed producer, and whether they show the finding.
fn others(
    references: &References,
    bench: &Bench,
    culprit: &Tool,
    text: &str,
    identity: &Identity,
) -> Result<Made, BenchError> {
    let mut made = Made::default();
    for tool in references.others(culprit) {
        if culprit.entry.kind == Kind::Assembler && tool.sframe().is_empty() {
            continue;
        }
        // The other tools have the same version, because an older linker does not merge a newer
        // assembler's output.
        let beside = match culprit.entry.kind {
            Kind::Linker => {
                bench.tools().into_iter().find(|other| other.entry.kind == Kind::Assembler).and_then(|other| {
                    let all = references.producers.tools(&other.entry.name, bench.abi()).unwrap_or_default();
                    all.iter().find(|other| other.version == tool.version).cloned()
                })
            }
            _ => references.producers.partner(tool, Kind::Linker, |linker| linker.can(Step::Link)).cloned(),
        };
        let bench = bench.with_tool(tool, beside, text)?;
        let seen = bench.observe(text)?;
        // Another version may be wrong there in another way: this does not make it a correct
        // version.
        let alike = seen.findings.iter().any(|found| Identity::from_finding(found).is_like(identity));
        let shows = match (alike || seen.shows(identity), seen.is_made()) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        };
        let graph = bench.graph(bench.kept(), text)?;
        let setup = Setup::new(references, bench.abi(), Some(tool), &commands(&graph)?, &graph);
        made.add(tool, shows, setup);
    }
    Ok(made)
}

/// Default title.
fn title(identity: &Identity, found: Option<&Finding>) -> String {
    match (identity, found) {
        (Identity::Failure(printed), _) => {
            printed.trim_end_matches(" at").trim_end_matches([' ', ':', '.', ',']).to_owned()
        }
        (Identity::Finding(_), Some(found)) if found.rule() == RuleId::CoverageSilent => {
            "no FDE of a function, and no warning".to_owned()
        }
        (Identity::Finding(relation), Some(found)) if relation.actual != FieldForm::None => {
            let holds = if relation.eh_frame_is_right { &found.evidence.eh_frame } else { &found.evidence.truth };
            contrast(found, holds.as_ref()).unwrap_or_else(|| found.headline())
        }
        // Words of the rule, if there is no row to describe.
        (Identity::Finding(relation), Some(found)) if relation.breach.is_empty() => {
            first_sentence(&found.shown.message)
        }
        (Identity::Finding(relation), _) => format!("{} ({})", relation.breach, relation.class),
    }
}

/// The wrong value of a field and the right one: of the finding's own, unless both rows have it
/// alike because their CFAs differ.
fn contrast(found: &Finding, holds: Option<&Values>) -> Option<String> {
    let term = |values: Option<&Values>, field| values?.row.equations()?.term(field);
    [found.evidence.field, Aspect::Cfa, Aspect::Ra, Aspect::Fp].into_iter().find_map(|field| {
        let (wrong, right) = (term(found.evidence.sframe.as_ref(), field)?, term(holds, field)?);
        let name = field.name().to_ascii_uppercase();
        (wrong != right && !right.is_empty()).then(|| format!("{name} is {wrong}, expected {right}"))
    })
}

fn first_sentence(text: &str) -> String {
    text.split(". ").next().unwrap_or_default().trim_end_matches('.').to_owned()
}
