//! From a reduced recipe of linking to the bundle that describes it.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use matrix::check::{self, Options};
use matrix::link::{Linker, Maker, StepKind};
use matrix::linked::{LinkTools, assembler_words};
use model::bundle::{Banner, Bundle, Check, Command, Others, Shown};
use model::{Blame, Finding, RuleId, SframeVersion};
use reports::bundle::Filing;
use toolchain::complaint::Complaint;
use toolchain::entry::{Kind, Step};
use toolchain::process;
use toolchain::producers::Producers;
use toolchain::scratch::Scratch;
use toolchain::tool::{Order, Tool};

use super::{Origin, Words, banner, culprit_of, readelf, source, title};
use crate::bench::BenchError;
use crate::identity::Identity;
use crate::linking::{LinkBench, plain};
use crate::recipe::Linking;

/// A link of a few lines takes no tenth of it.
const LIMIT: Duration = Duration::from_secs(60);

/// A command, the tool that it calls, and the file that it makes.
struct Made<'a> {
    tool: &'a Tool,
    command: Command,
    file: String,
}

/// Describes a recipe that shows `identity`.
///
/// # Errors
/// When it does not show it, or files cannot be written.
pub fn describe_linking(
    producers: &Producers,
    bench: &LinkBench,
    linking: &Linking,
    identity: &Identity,
    words: Words,
    origin: Origin,
) -> Result<Filing, BenchError> {
    let bench = &with_fewest_words(bench, linking, identity)?;
    let (_, finding) = bench.finding(linking, identity)?;
    let mut made = commands(bench.tools(), linking)?;
    let folder = Scratch::new()?;
    let (mut check, printed_by_tool) = seen_by(linking, &finding, &mut made, folder.path())?;
    if let Some(right) = &words.right {
        let file = made.last().map_or("", |made| made.file.as_str());
        check = printed(producers, bench, right, &folder.path().join(file))?;
    }
    let culprit = match finding.blame() {
        Blame::PostProcessor => {
            bench.tools().strip.as_ref().or(bench.tools().objcopy.as_ref()).unwrap_or(&bench.tools().linker)
        }
        _ => &bench.tools().linker,
    };
    let mut tools: Vec<Banner> = made.iter().map(|made| banner(made.tool)).collect();
    tools.dedup();
    let files = linking.files();
    let bundle = Bundle {
        title: words.title.clone().unwrap_or_else(|| title(identity, Some(&finding))),
        culprit: culprit_of(culprit),
        abi: bench.key().abi,
        targets: vec![bench.key().abi],
        sframe: SframeVersion::named(&bench.key().sframe),
        note: words.note.clone().unwrap_or_default(),
        clause: words.clause(Some(&finding)),
        sources: files.iter().map(|(name, bytes)| source(&plain(name), bytes)).collect(),
        commands: made.into_iter().map(|made| made.command).collect(),
        check,
        printed: printed_by_tool,
        expected: None,
        finding: Some(Shown::from(&finding)),
        tools,
        others: others(producers, bench, linking, identity)?,
        found: origin.found(bench.key(), Some(&finding)),
        entry: None,
        remark: None,
    };
    let texts = files.values().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect();
    Ok(Filing { bundle, texts })
}

/// The same with those words only of a compiler that assembles without which it is not shown.
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
            if !needed && bench.with_tools(less.clone())?.judge(linking)?.shows(identity) {
                (tools, words) = (less, fewer);
            } else {
                at += 1;
            }
        }
    }
    bench.with_tools(tools)
}

/// The commands of a recipe, in order, its sources and files beside each other.
fn commands<'a>(tools: &'a LinkTools, linking: &Linking) -> Result<Vec<Made<'a>>, BenchError> {
    let absent = |what: &str| BenchError::NoSource(format!("no {what} here"));
    let mut made = Vec::new();
    let object = |name: &String| linking.recipe.objects.contains_key(name);
    let file = |name: &String| if object(name) { format!("{name}.o") } else { name.clone() };
    for (name, object) in &linking.recipe.objects {
        let (tool, variable) = match object.by {
            Maker::Own => (&tools.assembler, "AS"),
            Maker::OtherVersion => (tools.other.as_ref().ok_or_else(|| absent("other assembler"))?, "OTHER_AS"),
        };
        let words = [object.flags.clone(), linking.symbols(object, tools.version)].join(" ");
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        let options = assembler_words(tool, &words);
        let source = plain(&linking.source(&object.source));
        let (inputs, output) = ([source.as_str()], file(name));
        let order =
            Order { step: Step::Assemble, inputs: &inputs, output: &output, options: &options, sframe: object.sframe };
        let variable = if tool.entry.kind == Kind::Compiler && variable == "AS" { "CC" } else { variable };
        let mut command = command(tool, &order, variable)?;
        if object.by == Maker::OtherVersion {
            // Both have one name: without its version a script would take the first for it.
            command.program = format!("{}-{}", command.program, tool.version);
        }
        made.push(Made { tool, command, file: output.clone() });
    }
    for step in &linking.recipe.steps {
        let (linker, flavour) = tools.linker(step.linker).ok_or_else(|| absent("other linker"))?;
        let variable = match step.linker {
            Linker::Own => "LD",
            Linker::Other => "OTHER_LD",
        };
        let (tool, kind, variable) = match step.by {
            StepKind::Link => (linker, Step::Link, variable),
            StepKind::Shared => (linker, Step::Shared, variable),
            StepKind::Relocatable => (linker, Step::Relocatable, variable),
            StepKind::Strip => (tools.strip.as_ref().ok_or_else(|| absent("strip"))?, Step::Strip, "STRIP"),
            StepKind::Objcopy => (tools.objcopy.as_ref().ok_or_else(|| absent("objcopy"))?, Step::Copy, "OBJCOPY"),
        };
        let own = step.options_for.get(&flavour).map_or("", String::as_str);
        let mut options = format!("{} {own}", step.options);
        for (name, path) in &linking.recipe.files {
            options = options.replace(&format!("{{{name}}}"), &plain(path));
        }
        let inputs: Vec<String> = step.from.iter().map(file).collect();
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        let order = Order { step: kind, inputs: &inputs, output: &step.make, options: &options, sframe: true };
        made.push(Made { tool, command: command(tool, &order, variable)?, file: step.make.clone() });
    }
    Ok(made)
}

fn command(tool: &Tool, order: &Order<'_>, variable: &str) -> Result<Command, BenchError> {
    let words = tool.command(order)?;
    let program = tool.program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Command { variable: variable.to_owned(), program, words: words.into_iter().skip(1).collect() })
}

/// The plainest way to see a finding, and what the tool printed where it failed; commands after the file that shows it are left out.
fn seen_by(
    linking: &Linking,
    found: &Finding,
    made: &mut Vec<Made<'_>>,
    folder: &Path,
) -> Result<(Check, Option<String>), BenchError> {
    let failed = build(linking, made, folder)?;
    if found.rule() == RuleId::LinkAccepted {
        let (at, printed) = failed.ok_or_else(|| BenchError::NoSource("the commands succeed".to_owned()))?;
        made.truncate(at + 1);
        return Ok((Check::failure(&Complaint(&printed).phrase()), Some(printed)));
    }
    if let Some((_, printed)) = failed {
        return Err(BenchError::NoSource(format!("the commands of the bundle fail: {printed}")));
    }
    for at in (0..made.len()).rev() {
        let Some(file) = made.get(at).map(|made| made.file.clone()) else { continue };
        let runs = linking.recipe.expect.runs.iter().filter(|run| run.file == file);
        let entries: Option<Vec<String>> = runs.map(|run| run.entries.clone()).next();
        let options = Options {
            static_only: entries.is_none(),
            entries: entries.clone().unwrap_or_default(),
            ..Options::default()
        };
        let Ok(bytes) = fs::read(folder.join(&file)) else { continue };
        let report = check::check(&file, &bytes.into(), &options).report;
        if report.discrepancies.iter().any(|shown| shown.rule() == found.rule()) {
            made.truncate(at + 1);
            if found.rule() == RuleId::ElfSegment {
                return Ok((Check::NoSegment, None));
            }
            let named =
                |entries: Vec<String>| entries.into_iter().flat_map(|entry| ["--entry".to_owned(), entry]).collect();
            let options = entries.map_or_else(|| vec!["--static".to_owned()], named);
            return Ok((Check::Rule { options }, None));
        }
    }
    Ok((Check::ByEye, None))
}

/// What readelf prints of a right table, made sure that none of those here prints it of this one.
fn printed(producers: &Producers, bench: &LinkBench, right: &str, file: &Path) -> Result<Check, BenchError> {
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
        false => Ok(Check::Lacks { line: right.to_owned() }),
    }
}

/// Lines quoted of what a tool prints.
const MOST_LINES: usize = 6;

/// Runs the commands in a folder, up to the first that fails: which it is, and what it printed.
fn build(linking: &Linking, made: &[Made<'_>], folder: &Path) -> Result<Option<(usize, String)>, BenchError> {
    for (name, bytes) in linking.files() {
        fs::write(folder.join(plain(&name)), bytes)?;
    }
    for (at, Made { tool, command, .. }) in made.iter().enumerate() {
        let words: Vec<&str> = command.words.iter().map(String::as_str).collect();
        let ran = process::run_within(&tool.program.display().to_string(), &words, folder, LIMIT)?;
        if !ran.success {
            // As a shell prints it, without the folder that the program happens to be in.
            let path = tool.program.parent().map(|folder| format!("{}/", folder.display())).unwrap_or_default();
            let signal = ran.signal.map(|signal| format!("ended by signal {signal}"));
            let printed = ran.stderr.lines().chain(ran.stdout.lines()).take(MOST_LINES);
            let printed = printed.map(|line| line.replace(&path, ""));
            return Ok(Some((at, signal.into_iter().chain(printed).collect::<Vec<_>>().join("\n"))));
        }
    }
    Ok(None)
}

/// The other versions of the linker, each with the assembler of its own version, and whether they show it.
fn others(
    producers: &Producers,
    bench: &LinkBench,
    linking: &Linking,
    identity: &Identity,
) -> Result<Others, BenchError> {
    let all = |name: &str| producers.tools(name, bench.key().abi).unwrap_or_default();
    let own = bench.tools();
    let mut others = Others::default();
    for linker in all(&own.linker.entry.name).iter().filter(|linker| linker.version != own.linker.version) {
        // Linkers of other projects have no assembler of their own.
        let is_suite = own.assembler.version == own.linker.version;
        let own_assembler = Some(&own.assembler).filter(|_| !is_suite);
        let same = all(&own.assembler.entry.name).iter().find(|tool| tool.version == linker.version).or(own_assembler);
        let Some((assembler, version)) = same.and_then(|tool| Some((tool, *tool.sframe().first()?))) else { continue };
        let tools = LinkTools { linker: linker.clone(), assembler: assembler.clone(), version, ..own.clone() };
        let folder = Scratch::new()?;
        let built = commands(&tools, linking).and_then(|made| build(linking, &made, folder.path()));
        let is_built = matches!(built, Ok(None));
        let seen = bench.with_tools(tools)?.judge(linking)?;
        let alike = seen.findings.iter().any(|found| Identity::of(found).is_like(identity));
        let shows = match (alike, is_built) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        };
        others.add(&linker.version, shows);
    }
    Ok(others)
}
