//! The build pipeline of a case, from sources to a stripped file: its tools and stages.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toolchain::entry::{Kind, OptionSet, Step};
use toolchain::graph::{Graph, Node, NodeResult};
use toolchain::process::ProcessError;
use toolchain::tool::Tool;
use types::{Abi, Bytes};

use super::case::{Case, Start};
use super::included;

/// The tools of one build.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// Compiler to assembly, or to objects if no assembler follows; `None` for cases in assembly.
    pub compiler: Option<(Tool, OptionSet)>,
    /// Assembler of the objects.
    pub assembler: Option<Tool>,
    pub linker: Option<Tool>,
    /// The strip program.
    pub strip: Option<Tool>,
    /// Whether the tools write SFrame.
    pub sframe: Sframe,
}

/// Whether a build has `.sframe`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sframe {
    /// Yes, for every tool that can write it.
    Wanted,
    /// No: a failure of such a build has nothing to do with SFrame.
    Off,
}

/// Every stage of one build.
#[derive(Clone, Debug, Default)]
pub struct BuildStages {
    /// Objects with their names, in link order.
    pub objects: Vec<(String, Bytes)>,
    /// Output of `ld -r` over all objects.
    pub relocatable: Option<Bytes>,
    /// The executable.
    pub linked: Option<Bytes>,
    /// The stripped executable.
    pub stripped: Option<Bytes>,
    pub commands: Vec<String>,
    /// Standard error of the tool that made the objects.
    pub warnings: String,
    /// Steps that failed because of `.sframe`; files that depend on them were not made.
    pub failures: Vec<Failure>,
}

/// A step that failed, and succeeds without `.sframe`.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Kind of the tool.
    pub kind: Kind,
    /// Command with the program's file name only.
    pub command: String,
    /// Complaint of the tool ([`toolchain::process::Finished::complaint`]).
    pub message: String,
}

/// Name of the program; the names of other stages are derived from it ([`Pipeline::graph`]).
pub(crate) const LINKED: &str = "case";

impl Pipeline {
    /// `name@version` of each tool, by kind.
    pub fn names(&self) -> BTreeMap<String, String> {
        let compiler = self.compiler.as_ref().map(|(tool, _)| tool);
        let tools = [compiler, self.assembler.as_ref(), self.linker.as_ref(), self.strip.as_ref()];
        tools.into_iter().flatten().map(|tool| (tool.entry.kind.name().to_owned(), tool.name())).collect()
    }

    /// The tool that makes the objects.
    fn maker(&self) -> Option<&Tool> {
        self.assembler.as_ref().or(self.compiler.as_ref().map(|(tool, _)| tool))
    }

    /// The build graph of a case: an object for each source and, if it is executed, the output of
    /// `ld -r` (`NAME.r.o`), the program (`NAME`) and the stripped program (`NAME.stripped`).
    pub fn graph(&self, case: &Case, abi: Abi, name: &str) -> Result<Graph, ProcessError> {
        let mut graph = Graph::default();
        let flags = case.facts.flags.get(abi).map_or("", String::as_str);
        let mut sources: Vec<(PathBuf, bool)> = case.sources(abi).into_iter().map(|source| (source, true)).collect();
        if case.is_compiled(abi) && case.least(abi).run && case.facts.start == Start::Shared {
            let family = abi.facts().family;
            // A linker that does not merge would append a second table, which no reader reads.
            let merges = self.linker.as_ref().is_some_and(|linker| !linker.sframe().is_empty());
            sources.push((case.start().join(format!("start.{family}.s")), merges));
        }
        let mut objects = Vec::new();
        for (source, sframe) in sources {
            let compiled = case.compiles(&source);
            objects.push(self.object(&source, compiled, flags, sframe, &mut graph)?);
        }
        let (Some(linker), true) = (&self.linker, case.least(abi).run) else { return Ok(graph) };
        if linker.can(Step::Relocatable) {
            graph.make(self.node(linker, Step::Relocatable, objects.clone(), &format!("{name}.r.o")));
        }
        graph.make(self.node(linker, Step::Link, objects, name));
        if let Some(strip) = &self.strip {
            graph.make(self.node(strip, Step::Strip, vec![name.to_owned()], &format!("{name}.stripped")));
        }
        Ok(graph)
    }

    /// Adds the nodes for one object of a source, compiled or assembled; returns its name.
    fn object(
        &self,
        source: &Path,
        compiled: bool,
        flags: &str,
        sframe: bool,
        graph: &mut Graph,
    ) -> Result<String, ProcessError> {
        let absent = || ProcessError::Failed { program: "as".to_owned(), message: "no assembler".to_owned() };
        let unread = |error| ProcessError::Start { program: source.display().to_string(), error };
        let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let stem = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        graph.source(&name, included::read(source).map_err(unread)?);
        let object = format!("{stem}.o");
        let sframe = sframe && self.sframe == Sframe::Wanted;
        let mut input = name;
        if let (Some((compiler, set)), true) = (&self.compiler, compiled) {
            let options = format!("{} {flags}", set.words);
            let (step, output) = match self.assembler {
                Some(_) => (Step::Compile, format!("{stem}.s")),
                None => (Step::CompileObject, object.clone()),
            };
            let made = self.node(compiler, step, vec![input], &output);
            graph.make(Node { options, sframe, ..made });
            if step == Step::CompileObject {
                return Ok(object);
            }
            input = output;
        }
        let maker = self.maker().ok_or_else(absent)?;
        // Those of a compiled case are for the compiler.
        let options = if self.compiler.is_some() { "" } else { flags }.to_owned();
        let made = self.node(maker, Step::Assemble, vec![input], &object);
        graph.make(Node { options, sframe, ..made });
        Ok(object)
    }

    fn node(&self, tool: &Tool, step: Step, inputs: Vec<String>, output: &str) -> Node {
        let (output, sframe) = (output.to_owned(), self.sframe == Sframe::Wanted);
        Node { output, tool: tool.clone(), step, inputs, options: String::new(), sframe, control: None }
    }

    /// Builds a case.
    ///
    /// # Errors
    /// A tool is missing, does not end, or fails also without `.sframe`.
    pub fn build(&self, case: &Case, abi: Abi) -> Result<BuildStages, ProcessError> {
        self.build_kept(case, abi, &mut BTreeMap::new())
    }

    /// Builds a case, and stores all files by name, also those of a failed build.
    pub fn build_kept(
        &self,
        case: &Case,
        abi: Abi,
        kept: &mut BTreeMap<String, Bytes>,
    ) -> Result<BuildStages, ProcessError> {
        let graph = self.graph(case, abi, LINKED)?;
        let mut outcomes = graph.build();
        *kept = graph.made(&outcomes);
        let mut built = BuildStages::default();
        for node in graph.nodes() {
            let Some(outcome) = outcomes.remove(&node.output) else { continue };
            let makes_object = matches!(node.step, Step::Assemble | Step::CompileObject);
            built.commands.extend(outcome.ran().map(|ran| ran.command.clone()));
            match outcome {
                NodeResult::Made(bytes, ran) if makes_object => {
                    built.objects.push((node.output.clone(), bytes));
                    built.warnings.push_str(&ran.finished.stderr);
                }
                NodeResult::Made(bytes, _) => match node.step {
                    Step::Relocatable => built.relocatable = Some(bytes),
                    Step::Link => built.linked = Some(bytes),
                    Step::Strip => built.stripped = Some(bytes),
                    _ => {}
                },
                NodeResult::Refused(ran) => {
                    // The step that assembles is attributed to the assembler, even if a compiler
                    // contains it.
                    let kind = if makes_object { Kind::Assembler } else { node.tool.entry.kind };
                    let message = ran.finished.complaint();
                    built.failures.push(Failure { kind, command: ran.command, message });
                }
                NodeResult::Fails(ran, _) => {
                    return Err(ProcessError::Failed { program: ran.command, message: ran.finished.complaint() });
                }
                NodeResult::Broken(error) => return Err(error),
                NodeResult::Lacking => {}
            }
        }
        Ok(built)
    }
}
