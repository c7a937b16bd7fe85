//! One build, from sources to a file without symbols: which tools make it, and every stage of it on disk.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use model::{Abi, Bytes};
use toolchain::complaint::AboutSframe;
use toolchain::entry::{Kind, OptionSet, Step};
use toolchain::process::ProcessError;
use toolchain::tool::{self, Order, Tool};

use super::case::Case;
use super::included;

/// The tools of one build.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// Makes assembly, or objects where no assembler stands after it; none for cases in assembly.
    pub compiler: Option<(Tool, OptionSet)>,
    /// Makes the objects.
    pub assembler: Option<Tool>,
    /// Makes the rest.
    pub linker: Option<Tool>,
    /// Takes the symbols away.
    pub strip: Option<Tool>,
    /// Whether the tools are to write SFrame.
    pub sframe: Sframe,
}

/// Whether a build is to have `.sframe`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sframe {
    /// Wherever a tool can write it.
    Wanted,
    /// Nowhere: what such a build cannot do is no matter of SFrame.
    Off,
}

/// Every stage of one build.
#[derive(Clone, Debug, Default)]
pub struct BuildStages {
    /// The objects with their names in the folder, in order of the link.
    pub objects: Vec<(String, Bytes)>,
    /// All of them as one object.
    pub relocatable: Option<Bytes>,
    /// The executable.
    pub linked: Option<Bytes>,
    /// The executable without symbols.
    pub stripped: Option<Bytes>,
    /// The commands.
    pub commands: Vec<String>,
    /// What the maker of the objects printed on standard error.
    pub warnings: String,
    /// Steps that failed because of `.sframe`; what depends on them was not made.
    pub failures: Vec<Failure>,
}

/// A step that failed, and does not without `.sframe`.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What the tool does.
    pub kind: Kind,
    /// With the program's file name alone.
    pub command: String,
    /// The tool's complaint ([`toolchain::process::Finished::complaint`]).
    pub message: String,
}

/// Names of what is made, in the trial's folder.
pub(crate) const RELOCATABLE: &str = "case.r.o";
/// The executable.
pub(crate) const LINKED: &str = "case";
/// The same without symbols.
pub(crate) const STRIPPED: &str = "case.stripped";

/// Where `_start` of the programs in C stands, below the topic's folder.
const START: &str = "start";

impl Pipeline {
    /// `name@version` of each tool, by its kind.
    pub fn names(&self) -> BTreeMap<String, String> {
        let compiler = self.compiler.as_ref().map(|(tool, _)| tool);
        let tools = [compiler, self.assembler.as_ref(), self.linker.as_ref(), self.strip.as_ref()];
        tools.into_iter().flatten().map(|tool| (tool.entry.kind.name().to_owned(), tool.name())).collect()
    }

    /// The tool that makes the objects.
    fn maker(&self) -> Option<&Tool> {
        self.assembler.as_ref().or(self.compiler.as_ref().map(|(tool, _)| tool))
    }

    /// Builds a case in a folder.
    ///
    /// # Errors
    /// When a tool is missing, fails, or does not end.
    pub fn build(&self, case: &Case, abi: Abi, folder: &Path) -> Result<BuildStages, ProcessError> {
        let mut built = BuildStages::default();
        let mut objects = Vec::new();
        let flags = case.facts.flags.get(abi).map_or("", String::as_str);
        let mut sources: Vec<(PathBuf, bool)> = case.sources(abi).into_iter().map(|source| (source, true)).collect();
        if case.is_c(abi) {
            let family = abi.facts().family;
            // A linker that does not merge would leave a second table behind the first, which nobody reads.
            let merges = self.linker.as_ref().is_some_and(|linker| !linker.sframe().is_empty());
            sources.push((case.folder.join(START).join(format!("start.{family}.s")), merges));
        }
        for (source, sframe) in sources {
            let Some(object) = self.object(&source, flags, sframe, folder, &mut built)? else { return Ok(built) };
            built.objects.push((object.clone(), read(folder, &object)?));
            objects.push(object);
        }
        let (Some(linker), true) = (&self.linker, case.least(abi).run) else { return Ok(built) };
        let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
        if linker.can(Step::Relocatable) {
            built.relocatable = self.made(linker, Step::Relocatable, &objects, RELOCATABLE, folder, &mut built)?;
        }
        built.linked = self.made(linker, Step::Link, &objects, LINKED, folder, &mut built)?;
        if let (Some(strip), Some(_)) = (&self.strip, &built.linked) {
            built.stripped = self.made(strip, Step::Strip, &[LINKED], STRIPPED, folder, &mut built)?;
        }
        Ok(built)
    }

    /// Makes one object; gives its name in the folder, or none where that failed because of `.sframe`.
    fn object(
        &self,
        source: &Path,
        flags: &str,
        sframe: bool,
        folder: &Path,
        built: &mut BuildStages,
    ) -> Result<Option<String>, ProcessError> {
        let absent = || ProcessError::Failed { program: "as".to_owned(), message: "no assembler".to_owned() };
        let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let stem = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let copied = |error| ProcessError::Start { program: source.display().to_string(), error };
        // Beside what is made of it, so that commands name no folder of this machine.
        let text = included::read(source).map_err(copied)?;
        fs::write(folder.join(&name), text).map_err(copied)?;
        let object = format!("{stem}.o");
        let sframe = sframe && self.sframe == Sframe::Wanted;
        let is_c = name.ends_with(".c");
        let mut input = name;
        if let (Some((compiler, set)), true) = (&self.compiler, is_c) {
            let options = format!("{} {flags}", set.words);
            let (step, output) = match self.assembler {
                Some(_) => (Step::Compile, format!("{stem}.s")),
                None => (Step::CompileObject, object.clone()),
            };
            let order = Order { step, inputs: &[&input], output: &output, options: &options, sframe };
            if step == Step::CompileObject {
                return Ok(assembled(compiler, &order, folder, built)?.then_some(object));
            }
            built.commands.push(compiler.must_run(&order, folder)?.command);
            input = output;
        }
        let maker = self.maker().ok_or_else(absent)?;
        let options = if is_c { "" } else { flags };
        let order = Order { step: Step::Assemble, inputs: &[&input], output: &object, options, sframe };
        Ok(assembled(maker, &order, folder, built)?.then_some(object))
    }

    /// Makes a file of others. A failure that is about SFrame is kept in what was built; any other is an error.
    fn made(
        &self,
        tool: &Tool,
        step: Step,
        inputs: &[&str],
        output: &str,
        folder: &Path,
        built: &mut BuildStages,
    ) -> Result<Option<Bytes>, ProcessError> {
        let order = Order { step, inputs, output, options: "", sframe: self.sframe == Sframe::Wanted };
        let ran = tool.run(&order, folder)?;
        built.commands.push(ran.command.clone());
        if ran.finished.success {
            tool::made(&order, &ran, folder)?;
            return read(folder, output).map(Some);
        }
        let message = ran.finished.complaint();
        if AboutSframe::of(&message).is_empty() {
            return Err(ProcessError::Failed { program: ran.command, message });
        }
        built.failures.push(Failure { kind: tool.entry.kind, command: ran.command, message });
        Ok(None)
    }
}

/// Makes an object. A failure that goes away without `.sframe` is kept in what was built; any other is an error.
fn assembled(maker: &Tool, order: &Order<'_>, folder: &Path, built: &mut BuildStages) -> Result<bool, ProcessError> {
    let ran = maker.run(order, folder)?;
    built.commands.push(ran.command.clone());
    if ran.finished.success {
        tool::made(order, &ran, folder)?;
        built.warnings.push_str(&ran.finished.stderr);
        return Ok(true);
    }
    let message = ran.finished.complaint();
    if !order.sframe || !maker.run(&Order { sframe: false, ..*order }, folder)?.finished.success {
        return Err(ProcessError::Failed { program: ran.command, message });
    }
    // What assembles is the assembler, also where a compiler brings it along.
    built.failures.push(Failure { kind: Kind::Assembler, command: ran.command, message });
    Ok(false)
}

fn read(folder: &Path, name: &str) -> Result<Bytes, ProcessError> {
    let path: PathBuf = folder.join(name);
    fs::read(&path).map(Bytes::from).map_err(|error| ProcessError::Start { program: name.to_owned(), error })
}
