//! Makes the bundle for a reduced link recipe.

use std::collections::BTreeMap;
use std::sync::Arc;

use check::{Execution, Options};
use matrix::link::{LinkTools, Linker, Maker, StepKind};
use results::bundle::{Banner, Bundle, Check, Command, Filing, ReducedFinding};
use results::{Blame, Finding};
use spec::RuleId;
use toolchain::complaint::Complaint;
use toolchain::entry::{Kind, Step};
use toolchain::graph::{Graph, Node, NodeResult};
use toolchain::producers::Producers;
use toolchain::tool::Tool;
use types::{Bytes, SframeVersion};

use super::printed::readelf;
use super::setup::Made;
use super::{Described, Origin, References, Setup, Words, banner, command, culprit_of, failed, source, title};
use crate::bench::BenchError;
use crate::identity::Identity;
use crate::linking::{LinkBench, plain};
use crate::recipe::Linking;

/// Describes a recipe that shows `identity`.
pub fn describe_linking(
    references: &References,
    bench: &LinkBench,
    linking: &Linking,
    identity: &Identity,
    words: Words,
    origin: Origin,
) -> Result<Described, BenchError> {
    let bench = &with_fewest_words(bench, linking, identity)?;
    let (_, finding) = bench.finding(linking, identity)?;
    let graph = bench.graph(linking)?;
    let outcomes = graph.build();
    let (shown, mut check, printed_by_tool) = seen_by(linking, &finding, &graph, &outcomes)?;
    let shown = graph.nodes().iter().take(shown + 1);
    if let Some(right) = &words.right {
        let Some(NodeResult::Made(file, _)) = shown.clone().next_back().and_then(|node| outcomes.get(&node.output))
        else {
            return Err(BenchError::NoSource("no file of which readelf could print anything".to_owned()));
        };
        check = printed(&references.producers, bench, right, file)?;
    }
    let culprit = match finding.blame() {
        Blame::PostProcessor => {
            bench.tools().strip.as_ref().or(bench.tools().objcopy.as_ref()).unwrap_or(&bench.tools().linker)
        }
        _ => &bench.tools().linker,
    };
    let mut tools: Vec<Banner> = shown.clone().map(|node| banner(&node.tool)).collect();
    tools.dedup();
    let files = linking.files();
    let commands: Vec<Command> = shown.map(|node| recipe_command(linking, node)).collect::<Result<_, _>>()?;
    let Made { others, without } = others(references, bench, linking, identity, culprit)?;
    let tested = Setup::new(references, bench.key().abi, Some(culprit), &commands, &graph);
    let bundle = Bundle {
        title: words.title.clone().unwrap_or_else(|| title(identity, Some(&finding))),
        culprit: culprit_of(culprit),
        abi: bench.key().abi,
        targets: vec![bench.key().abi],
        sframe: SframeVersion::named(&bench.key().sframe),
        note: words.note.clone().unwrap_or_default(),
        clause: words.clause(Some(&finding), SframeVersion::named(&bench.key().sframe)),
        sources: files.iter().map(|(name, bytes)| source(&plain(name), bytes)).collect(),
        commands,
        check,
        printed: printed_by_tool,
        expected: None,
        program: None,
        finding: Some(ReducedFinding::from(&finding)),
        tools,
        others,
        tried: Vec::new(),
        found: origin.found(bench.key(), Some(&finding)),
        entry: None,
        remark: None,
    };
    let texts = files.values().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect();
    let filings = vec![Filing { bundle, texts, program: None, upstream: None }];
    Ok(Described { filings, tested, without })
}

/// The bench with only those arguments of an assembling compiler that are needed to show the
/// finding.
fn with_fewest_words(bench: &LinkBench, linking: &Linking, identity: &Identity) -> Result<LinkBench, BenchError> {
    let mut tools = bench.tools().clone();
    if tools.assembler.entry.kind == Kind::Compiler {
        let abi = tools.assembler.entry.abi_words.get(bench.key().abi).map_or("", String::as_str);
        let template = tools.assembler.entry.steps.get(&Step::Assemble).map_or("", String::as_str);
        let mut words: Vec<String> = template.replace("{abi}", abi).split_whitespace().map(str::to_owned).collect();
        let mut at = 0;
        while let Some(word) = words.get(at) {
            let mut fewer = words.clone();
            fewer.remove(at);
            let mut less = tools.clone();
            Arc::make_mut(&mut less.assembler.entry).steps.insert(Step::Assemble, fewer.join(" "));
            let needed = word.starts_with('{') || word.starts_with("--target") || ["-c", "-o"].contains(&word.as_str());
            if !needed && bench.with_tools(less.clone())?.observe(linking)?.shows(identity) {
                (tools, words) = (less, fewer);
            } else {
                at += 1;
            }
        }
    }
    bench.with_tools(tools)
}

/// The command of a node in a script.
fn recipe_command(linking: &Linking, node: &Node) -> Result<Command, BenchError> {
    let object = node.output.strip_suffix(".o").and_then(|name| linking.recipe.objects.get(name));
    let step = linking.recipe.steps.iter().find(|step| step.make == node.output);
    let variable = match (object, step) {
        (Some(object), _) if object.by == Maker::OtherVersion => "OTHER_AS",
        (Some(_), _) if node.tool.entry.kind == Kind::Compiler => "CC",
        (_, Some(step)) => match (step.by, step.linker) {
            (StepKind::Strip, _) => "STRIP",
            (StepKind::Objcopy, _) => "OBJCOPY",
            (StepKind::Link | StepKind::Shared | StepKind::Relocatable, Linker::Own) => "LD",
            (StepKind::Link | StepKind::Shared | StepKind::Relocatable, Linker::Other) => "OTHER_LD",
        },
        _ => "AS",
    };
    let mut command = command(node, variable)?;
    if variable == "OTHER_AS" {
        // Both programs have the same name: without the version a script would use the first for
        // both.
        command.program = format!("{}-{}", command.program, node.tool.version);
    }
    Ok(command)
}

/// Index of the command that shows a finding, the simplest way to detect it there, and the tool's
/// output if it failed.
fn seen_by(
    linking: &Linking,
    found: &Finding,
    graph: &Graph,
    outcomes: &BTreeMap<String, NodeResult>,
) -> Result<(usize, Check, Option<String>), BenchError> {
    let failed = failed(graph, outcomes);
    if found.rule() == RuleId::LinkAccepted {
        let (at, printed) = failed.ok_or_else(|| BenchError::NoSource("the commands succeed".to_owned()))?;
        return Ok((at, Check::failure(&Complaint(&printed).phrase()), Some(printed)));
    }
    if let Some((_, printed)) = failed {
        return Err(BenchError::NoSource(format!("the commands of the bundle fail: {printed}")));
    }
    for (at, node) in graph.nodes().iter().enumerate().rev() {
        let Some(NodeResult::Made(bytes, _)) = outcomes.get(&node.output) else { continue };
        let runs = linking.recipe.expect.runs.iter().filter(|run| run.file == node.output);
        let entries: Option<Vec<String>> = runs.map(|run| run.entries.clone()).next();
        let execution = entries.clone().map_or(Execution::Static, Execution::functions);
        let options = Options { execution, ..Options::default() };
        let report = check::check(&node.output, bytes, &options).report;
        if report.discrepancies.iter().any(|shown| shown.rule() == found.rule()) {
            if found.rule() == RuleId::ElfSegment {
                return Ok((at, Check::NoSegment, None));
            }
            let named =
                |entries: Vec<String>| entries.into_iter().flat_map(|entry| ["--entry".to_owned(), entry]).collect();
            let options = entries.map_or_else(|| vec!["--static".to_owned()], named);
            return Ok((at, Check::Rule { options }, None));
        }
    }
    Ok((graph.nodes().len().saturating_sub(1), Check::ByEye, None))
}

/// A check by a regular expression of readelf's output for a correct table, verified not to match
/// for this one with any installed readelf.
fn printed(producers: &Producers, bench: &LinkBench, right: &str, file: &Bytes) -> Result<Check, BenchError> {
    let refused = |why: String| Err(BenchError::NoSource(why));
    let pattern = match regex::Regex::new(right) {
        Ok(pattern) => pattern,
        Err(error) => return refused(error.to_string()),
    };
    let assemblers = producers.of_kind(Kind::Assembler);
    let beside = assemblers.flat_map(|entry| producers.tools(&entry.name, bench.key().abi).unwrap_or_default());
    let printed: Vec<String> = beside.filter_map(|tool| readelf(tool, file)).collect();
    match printed.iter().any(|text| text.lines().any(|line| pattern.is_match(line))) {
        _ if printed.is_empty() => refused("no readelf beside an assembler".to_owned()),
        true => refused(format!("readelf prints '{right}' of this table as well")),
        false => Ok(Check::Lacks { line: right.to_owned(), of: None }),
    }
}

/// Other versions of the linker, each with the assembler of the same version, and whether they show
/// the finding.
fn others(
    references: &References,
    bench: &LinkBench,
    linking: &Linking,
    identity: &Identity,
    culprit: &Tool,
) -> Result<Made, BenchError> {
    let own = bench.tools();
    let mut made = Made::default();
    for linker in references.others(&own.linker).filter(|_| culprit.entry.kind == Kind::Linker) {
        // Linkers of other projects have no assembler of their own.
        let is_suite = own.assembler.version == own.linker.version;
        let own_assembler = Some(&own.assembler).filter(|_| !is_suite);
        let assemblers = references.producers.tools(&own.assembler.entry.name, bench.key().abi).unwrap_or_default();
        let same = assemblers.iter().find(|tool| tool.version == linker.version).or(own_assembler);
        let Some((assembler, version)) = same.and_then(|tool| Some((tool, *tool.sframe().first()?))) else { continue };
        let tools = LinkTools { linker: linker.clone(), assembler: assembler.clone(), version, ..own.clone() };
        let bench = bench.with_tools(tools)?;
        let Ok(graph) = bench.graph(linking) else {
            made.others.add(&linker.version, None);
            continue;
        };
        let is_built = failed(&graph, &graph.build()).is_none();
        let seen = bench.observe(linking)?;
        let alike = seen.findings.iter().any(|found| Identity::from_finding(found).is_like(identity));
        let shows = match (alike, is_built) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        };
        let commands: Vec<Command> =
            graph.nodes().iter().map(|node| recipe_command(linking, node)).collect::<Result<_, _>>()?;
        let setup = Setup::new(references, bench.key().abi, Some(linker), &commands, &graph);
        made.add(linker, shows, setup);
    }
    Ok(made)
}
