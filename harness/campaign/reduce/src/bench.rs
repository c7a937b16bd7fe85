//! A test bench for reducing texts: the producers of one trial, with its source replaced.

mod words;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use check::Options;
use ledger::Ledger;
use matrix::case::{Case, CaseFacts, Least, Start};
use matrix::pipeline::{Pipeline, Sframe};
use matrix::trial::{Subject, Trial};
use matrix::{Matrix, included};
use results::Key;
use selftest::compiled::subject::CompilerSubject;
use toolchain::entry::{Kind, Step};
use toolchain::graph::{Graph, NodeResult};
use toolchain::process::ProcessError;
use toolchain::scratch::Scratch;
use toolchain::tool::Tool;
use types::{Abi, Bytes, SframeVersion, Unknown};

use super::identity::Identity;
use super::seen::Observation;
use super::text::Language;

/// Purpose of a case made for a text.
const PURPOSE: &str = "reduced";

/// Maximum number of steps of one run: the cases' programs need fewer, and one that lost its end by
/// a cut needs no more.
const MOST_STEPS: u64 = 100_000;

/// What a reproducer is built to.
pub(super) const REPRO: &str = "repro";
pub(super) const OBJECT: &str = "repro.o";

/// How far a text is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An object, whose tables are compared with each other.
    Object,
    /// An object, whose functions are executed without a run of the program.
    Explored,
    /// Linked and run.
    Linked,
}

/// The producers and the folder in which texts are tested.
#[derive(Debug)]
pub struct Bench {
    key: Key,
    case: Case,
    pipeline: Pipeline,
    source: PathBuf,
    form: Form,
    folder: Scratch,
}

/// Why nothing can be reduced.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The trial has no source on this machine.
    #[error("{0}")]
    NoSource(String),
    #[error("no reducer for sources `.{}`: reduce the compiler's assembly instead", .0.extension())]
    NoLanguage(toolchain::entry::Language),
    /// No assembler with this name exists for the target.
    #[error("{abi}: {unknown}")]
    NoTool { abi: Abi, unknown: Unknown },
    #[error("the finding does not recur from the source: {0}")]
    NotShown(String),
    /// Another producer does not behave as required.
    #[error("{name} {}", if *.shows { "shows it too" } else { "does not show it" })]
    Other { name: String, shows: bool },
}

impl Bench {
    /// Creates the bench for a built case, with the text of its first source.
    pub fn from_case(key: &Key, case: &Case, pipeline: &Pipeline) -> Result<(Bench, String), BenchError> {
        let form = if case.least(key.abi).run { Form::Linked } else { Form::Object };
        Bench::new(key.clone(), case.clone(), pipeline.clone(), form)
    }

    /// Creates the bench of an assembler (`NAME@VERSION`, where a prefix of the version suffices)
    /// for a file of the user, with its text. The file is linked and executed if it has a `_start`.
    pub fn from_file(
        matrix: &Matrix,
        assembler: &str,
        abi: Abi,
        path: &Path,
        flags: &str,
    ) -> Result<(Bench, String), BenchError> {
        let tool = tool(matrix, assembler, abi)?;
        let text = read(path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let merges = |linker: &Tool| {
            linker.can(Step::Link)
                && tool.sframe().iter().all(|version| linker.sframe().contains(version) || linker.sframe().is_empty())
        };
        let linker = matrix.producers.partner(tool, Kind::Linker, merges).cloned();
        let form = if text.contains("_start") && linker.is_some() { Form::Linked } else { Form::Object };
        let case = Case {
            topic: "file".to_owned(),
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            folder: path.parent().unwrap_or(Path::new("")).to_owned(),
            facts: CaseFacts::from_sources(PURPOSE, vec![name], flags),
        };
        let key = Key {
            producer: tool.entry.name.clone(),
            version: tool.version.clone(),
            abi,
            sframe: tool.sframe().first().map_or("none", |version: &SframeVersion| version.name()).to_owned(),
            topic: case.topic.clone(),
            case: case.name.clone(),
        };
        let pipeline =
            Pipeline { compiler: None, assembler: Some(tool.clone()), linker, strip: None, sframe: Sframe::Wanted };
        Bench::new(key, case, pipeline, form)
    }

    /// The bench of a program in C that has its own `_start`, and its text.
    pub fn from_program(subject: &CompilerSubject, path: &Path, options: &str) -> Result<(Bench, String), BenchError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let facts = CaseFacts { start: Start::Own, ..CaseFacts::from_sources(PURPOSE, vec![name], "") };
        let case = Case {
            topic: "compiled".to_owned(),
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            folder: path.parent().unwrap_or(Path::new("")).to_owned(),
            facts,
        };
        let key = Key {
            producer: subject.family.name().to_owned(),
            version: subject.version().clone(),
            abi: subject.abi,
            sframe: subject.sframe().map_or("none", |version| version.name()).to_owned(),
            topic: case.topic.clone(),
            case: case.name.clone(),
        };
        Bench::new(key, case, subject.pipeline(options), Form::Linked)
    }

    fn new(key: Key, mut case: Case, pipeline: Pipeline, form: Form) -> Result<(Bench, String), BenchError> {
        if case.is_compiled(key.abi) && !case.is_c(key.abi) {
            return Err(BenchError::NoLanguage(case.facts.language));
        }
        let folder = Scratch::new()?;
        let sources = case.sources(key.abi);
        let first = sources.first().ok_or_else(|| BenchError::NoSource("the case has no source".to_owned()))?;
        let text = read(first)?;
        let source = folder.path().join(first.file_name().unwrap_or_default());
        for source in &sources {
            write(&folder.path().join(source.file_name().unwrap_or_default()), &read(source)?)?;
        }
        if case.is_c(key.abi) && case.facts.start == Start::Shared {
            copy_folder(&case.folder.join("start"), &folder.path().join("start"))?;
        }
        case.folder = folder.path().to_owned();
        // The case's minimum is irrelevant: the finding itself must be reached.
        case.facts.least = Least { run: form == Form::Linked, most_steps: Some(MOST_STEPS), ..Least::default() };
        case.facts.least_by_abi = Default::default();
        Ok((Bench { key, case, pipeline, source, form, folder }, text))
    }

    /// Creates a second bench like this one, with its own folder.
    pub fn again(&self, text: &str) -> Result<(Bench, String), BenchError> {
        write(&self.source, text)?;
        Bench::new(self.key.clone(), self.case.clone(), self.pipeline.clone(), self.form)
    }

    /// The bench with the same producers, building texts up to `form`.
    #[must_use]
    pub fn in_form(mut self, form: Form) -> Bench {
        self.case.facts.least.run = form == Form::Linked;
        self.form = form;
        self
    }

    /// Creates a second bench that does not take the directives of a text for right: an error that
    /// both tables share is the assembler's only if the directives mean another row.
    pub fn with_unproven_directives(&self, text: &str) -> Result<Bench, BenchError> {
        let (mut bench, _) = self.again(text)?;
        bench.case.facts.unproven = true;
        Ok(bench)
    }

    /// Creates the bench of the assembler alone, with the compiler's output for a text in C; `None`
    /// for a text in assembly.
    pub fn compiled(&self, text: &str) -> Result<Option<(Bench, String)>, BenchError> {
        let (Some(_), Some(_), true) = (&self.pipeline.compiler, &self.pipeline.assembler, self.is_c()) else {
            return Ok(None);
        };
        write(&self.source, text)?;
        let graph = self.pipeline.graph(&self.case, self.abi(), "case").map_err(BenchError::Process)?;
        let compiled = format!("{}.s", self.source.file_stem().unwrap_or_default().to_string_lossy());
        match graph.up_to(&compiled).build().remove(&compiled) {
            Some(NodeResult::Made(bytes, _)) => {
                write(&self.folder.path().join("compiled.s"), &String::from_utf8_lossy(&bytes))?
            }
            Some(NodeResult::Broken(error)) => return Err(error.into()),
            Some(NodeResult::Refused(ran) | NodeResult::Fails(ran, _)) => {
                return Err(ProcessError::Failed { message: ran.finished.complaint(), program: ran.command }.into());
            }
            Some(NodeResult::Lacking) | None => return Ok(None),
        }
        let mut sources = vec!["compiled.s".to_owned()];
        if self.case.facts.start == Start::Shared {
            let start = self.start_name();
            copy(&self.folder.path().join("start").join(&start), &self.folder.path().join(&start))?;
            sources.push(start);
        }
        let mut case = self.case.clone();
        case.facts = CaseFacts::from_sources(PURPOSE, sources, "");
        let pipeline = Pipeline { compiler: None, ..self.pipeline.clone() };
        Ok(Some(Bench::new(self.key.clone(), case, pipeline, self.form)?))
    }

    /// Creates a bench with another assembler for the same text and form.
    pub fn other(&self, matrix: &Matrix, assembler: &str) -> Result<Bench, BenchError> {
        let path = self.source.clone();
        let (bench, _) = Bench::from_file(matrix, assembler, self.abi(), &path, "")?;
        Ok(bench.in_form(self.form))
    }

    /// Creates a bench of the same tools without `.sframe`: the guard for a failure of a tool, with
    /// which the tool must accept the text.
    pub fn without_sframe(&self, text: &str) -> Result<Bench, BenchError> {
        let (mut bench, _) = self.again(text)?;
        bench.pipeline.sframe = Sframe::Off;
        bench.key.sframe = "none".to_owned();
        Ok(bench)
    }

    /// Creates a bench with another version of the producer under test for the same text and form,
    /// and with `beside` as the linker of an assembler, or the assembler of a linker.
    pub fn with_tool(&self, tool: &Tool, beside: Option<Tool>, text: &str) -> Result<Bench, BenchError> {
        let (mut bench, _) = self.again(text)?;
        let kind = tool.entry.kind;
        match kind {
            Kind::Linker => {
                bench.pipeline.linker = Some(tool.clone());
                bench.pipeline.assembler = beside.or(bench.pipeline.assembler);
            }
            Kind::Compiler if self.is_c() => {
                if let Some((compiler, _)) = &mut bench.pipeline.compiler {
                    // The remaining arguments, if it is another version of the same tool.
                    let same = compiler.entry.name == tool.entry.name;
                    let entry = if same { Arc::clone(&compiler.entry) } else { Arc::clone(&tool.entry) };
                    tool.clone_into(compiler);
                    compiler.entry = entry;
                }
            }
            _ => {
                bench.pipeline.assembler = Some(tool.clone());
                bench.pipeline.linker = beside;
            }
        }
        bench.key.version = tool.version.clone();
        Ok(bench)
    }

    /// Start-up file of a program in C, if it is linked: its name and text.
    pub fn start(&self) -> Result<Option<(String, String)>, BenchError> {
        if !self.is_c() || self.form != Form::Linked || self.case.facts.start == Start::Own {
            return Ok(None);
        }
        let name = self.start_name();
        let text = read(&self.case.folder.join("start").join(&name))?;
        let code = text
            .lines()
            .filter(|line| !line.starts_with('#') && !line.starts_with("//"))
            .flat_map(|line| [line, "\n"])
            .collect();
        Ok(Some((name, code)))
    }

    /// The sources after the first, with their texts.
    pub fn further_sources(&self) -> Result<Vec<(String, String)>, BenchError> {
        let further = self.case.sources(self.abi()).into_iter().skip(1);
        let named = |path: PathBuf| {
            let text = read(&path)?;
            Ok((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), text))
        };
        further.map(named).collect()
    }

    /// Name of the start-up file in the folder `start` beside the cases in C.
    fn start_name(&self) -> String {
        format!("start.{}.s", self.abi().facts().family)
    }

    pub fn tools(&self) -> Vec<&Tool> {
        let compiler = self.pipeline.compiler.as_ref().map(|(tool, _)| tool);
        let linker = self.pipeline.linker.as_ref().filter(|_| self.form == Form::Linked);
        [compiler, self.pipeline.assembler.as_ref(), linker].into_iter().flatten().collect()
    }

    /// Build graph of a reproducer with this name, up to `repro` or its object.
    pub fn graph(&self, name: &str, text: &str) -> Result<Graph, BenchError> {
        let folder = Scratch::new()?;
        write(&folder.path().join(name), text)?;
        if self.is_c() && self.case.facts.start == Start::Shared {
            copy_folder(&self.case.folder.join("start"), &folder.path().join("start"))?;
        }
        let mut names = vec![name.to_owned()];
        for (further, text) in self.further_sources()? {
            write(&folder.path().join(&further), &text)?;
            names.push(further);
        }
        let mut case = Case { folder: folder.path().to_owned(), ..self.case.clone() };
        case.facts.sources = CaseFacts::from_sources(PURPOSE, names, "").sources;
        let graph = self.pipeline.graph(&case, self.abi(), REPRO)?;
        Ok(graph.up_to(match self.form {
            Form::Linked => REPRO,
            Form::Object | Form::Explored => OBJECT,
        }))
    }

    /// The program made of a text; `None` if no program is executed, or its execution does not show
    /// the finding.
    pub fn program(&self, text: &str, identity: &Identity) -> Result<Option<Bytes>, BenchError> {
        if self.form != Form::Linked {
            return Ok(None);
        }
        let seen = self.observe(text)?;
        if !seen.finding(identity).is_some_and(|found| found.evidence.executed) {
            return Ok(None);
        }
        Ok(match self.graph(self.kept(), text)?.build().remove(REPRO) {
            Some(NodeResult::Made(program, _)) => Some(program),
            _ => None,
        })
    }

    /// File name under which a text is tested.
    pub fn source_name(&self) -> String {
        self.source.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// `name@version` of the producer under test.
    pub fn name(&self) -> String {
        self.key.tool().to_string()
    }

    /// Name of the trial in which texts are tested.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// The target of its producers.
    pub fn abi(&self) -> Abi {
        self.key.abi
    }

    /// Returns true for a source in C.
    pub fn is_c(&self) -> bool {
        self.case.is_c(self.abi())
    }

    /// File name under which a text is stored.
    pub fn kept(&self) -> &'static str {
        if self.is_c() { "repro.c" } else { "repro.s" }
    }

    /// The same without its extension: what is made of it has this name.
    pub fn stem(&self) -> &'static str {
        "repro"
    }

    /// What the source is written in.
    pub fn language(&self) -> Language {
        Language { abi: self.abi(), is_c: self.is_c() }
    }

    /// How far texts are built.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The tool that reads the source: its kind, program and arguments define the command.
    pub fn maker(&self) -> Option<&Tool> {
        let compiler = self.pipeline.compiler.as_ref().map(|(tool, _)| tool);
        compiler.filter(|_| self.is_c()).or(self.pipeline.assembler.as_ref())
    }

    /// Builds and judges a text.
    pub fn observe(&self, text: &str) -> Result<Observation, BenchError> {
        write(&self.source, text)?;
        if self.form == Form::Explored
            && let Some(NodeResult::Made(object, _)) = self.graph(self.kept(), text)?.build().remove(OBJECT)
        {
            return Ok(Observation::from(check::check(OBJECT, &object, &Options::exploring()).report));
        }
        let subject = Subject::Built { case: Arc::new(self.case.clone()), pipeline: self.pipeline.clone() };
        let trial = Trial { key: self.key.clone(), subject };
        Ok(Observation::from(trial.run(&nothing_known())))
    }
}

/// An empty ledger for reductions: recurring findings count as new.
pub(super) fn nothing_known() -> Ledger {
    Ledger { entries: Vec::new(), files: Vec::new(), today: String::new(), earlier: None }
}

/// The assembler with a name, and a prefix of the version if one is given.
fn tool<'a>(matrix: &'a Matrix, assembler: &str, abi: Abi) -> Result<&'a Tool, BenchError> {
    let (name, version) = assembler.split_once('@').map_or((assembler, None), |(name, version)| (name, Some(version)));
    let tools = matrix.producers.tools(name, abi).unwrap_or_default();
    let is_of_version = |tool: &Tool| version.is_none_or(|version| tool.version.begins_with(version));
    let found = tools.iter().find(|tool| tool.can(Step::Assemble) && is_of_version(tool));
    found.ok_or_else(|| {
        let entries = matrix.producers.entries();
        let all = entries.flat_map(|entry| matrix.producers.tools(&entry.name, abi).unwrap_or_default());
        let assemblers = all.filter(|tool| tool.can(Step::Assemble)).map(Tool::name);
        BenchError::NoTool { abi, unknown: Unknown::new("assembler", assembler, assemblers) }
    })
}

fn read(path: &Path) -> Result<String, BenchError> {
    let bytes = included::read(path).map_err(|error| BenchError::File { path: path.to_owned(), error })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn write(path: &Path, text: &str) -> Result<(), BenchError> {
    fs::write(path, text).map_err(|error| BenchError::File { path: path.to_owned(), error })
}

fn copy(from: &Path, to: &Path) -> Result<(), BenchError> {
    fs::copy(from, to).map(drop).map_err(|error| BenchError::File { path: from.to_owned(), error })
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), BenchError> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).map_err(|error| BenchError::File { path: from.to_owned(), error })? {
        let path = entry?.path();
        if path.is_file() {
            copy(&path, &to.join(path.file_name().unwrap_or_default()))?;
        }
    }
    Ok(())
}
