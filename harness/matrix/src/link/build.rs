//! Carrying a recipe out: every object assembled, every step run, and, where a step fails, the same without any `.sframe`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use judge::link::StepEnd;
use model::{Abi, ByteOrder, Bytes, SframeVersion};
use toolchain::complaint::AboutSframe;

use super::recipe::{LinkCase, Step};
use super::toolbox::{Assembly, CommandOutcome, Maker, ToolError, Toolbox, Work};

/// A file that was made, or why it was not.
#[derive(Clone, Debug)]
pub(super) enum File {
    /// It was made; `end` is how its step ended, none for objects.
    Made { bytes: Bytes, end: Option<StepEnd> },
    /// The tool refused, and does not where no input has `.sframe`.
    Refused { end: StepEnd, signal: Option<i32> },
    /// It cannot be made here, and why.
    Unsupported(String),
    /// Its tool failed where it must not, which is a problem, or something that it is made of is not there.
    Lacking,
}

/// What carrying out a recipe gave.
#[derive(Debug, Default)]
pub(super) struct RecipeFiles {
    /// Every object and every step's file, by its name in the recipe.
    pub(super) files: BTreeMap<String, File>,
    /// The commands, in order.
    pub(super) commands: Vec<String>,
    /// What kept the recipe from being carried out.
    pub(super) problems: Vec<String>,
}

/// Objects and files with `.sframe`, or the control without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Real,
    Control,
}

/// Why a step fails also where no input has `.sframe`.
#[derive(Debug, thiserror::Error)]
enum ControlError {
    /// A tool cannot be run.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// It fails, with this as its first line.
    #[error("{0}")]
    Fails(String),
}

/// Carries a recipe out in a folder.
pub(super) fn build(case: &LinkCase, tools: &dyn Toolbox, folder: &Path) -> RecipeFiles {
    let mut builder = Builder { case, tools, folder, built: RecipeFiles::default() };
    for name in case.recipe.objects.keys() {
        let file = builder.object(name);
        builder.built.files.insert(name.clone(), file);
    }
    for step in &case.recipe.steps {
        let file = builder.step(step);
        builder.built.files.insert(step.make.clone(), file);
    }
    builder.built
}

struct Builder<'a> {
    case: &'a LinkCase,
    tools: &'a dyn Toolbox,
    folder: &'a Path,
    built: RecipeFiles,
}

impl Builder<'_> {
    fn object(&mut self, name: &str) -> File {
        match self.assemble(name, Mode::Real) {
            Ok(done) if done.finished.success => self.read(name, Mode::Real, None),
            Ok(done) => {
                self.built.problems.push(format!("{name}: {}: {}", done.command, first_line(&done.finished.stderr)));
                File::Lacking
            }
            Err(error) => self.failed(name, error),
        }
    }

    fn failed(&mut self, name: &str, error: ToolError) -> File {
        match error {
            ToolError::Absent(why) => File::Unsupported(why),
            ToolError::Process(error) => {
                self.built.problems.push(format!("{name}: {error}"));
                File::Lacking
            }
        }
    }

    fn step(&mut self, step: &Step) -> File {
        if let Some(why) = self.unable(step) {
            return File::Unsupported(why);
        }
        for input in &step.from {
            match self.built.files.get(input) {
                Some(File::Made { .. }) => {}
                Some(File::Unsupported(why)) => return File::Unsupported(why.clone()),
                Some(File::Refused { .. } | File::Lacking) | None => return File::Lacking,
            }
        }
        let done = match self.run(step, Mode::Real) {
            Ok(done) => done,
            Err(error) => return self.failed(&step.make, error),
        };
        let mut end = end_of(&done);
        end.complaint = self.without_folder(&end.complaint);
        if done.finished.success {
            return self.read(&step.make, Mode::Real, Some(end));
        }
        match self.control(&step.make) {
            Ok(()) => File::Refused { end, signal: done.finished.signal },
            Err(why) => {
                let both = self.without_folder(&format!("{}: {why}", end.complaint));
                File::Unsupported(format!("'{}' fails also where no input has .sframe: {both}", step.make))
            }
        }
    }

    /// Why the linker at hand cannot carry out a step, by what the recipe says.
    fn unable(&self, step: &Step) -> Option<String> {
        let Some(flavour) = self.tools.flavour(step.linker) else {
            return Some(format!("'{}': no linker of another family here", step.make));
        };
        if let Some(why) = step.lacking.get(&flavour) {
            return Some(format!("'{}': {} {why}", step.make, flavour.name()));
        }
        let only = step.only.as_ref()?;
        (!only.contains(&flavour)).then(|| format!("'{}': not a matter of {}", step.make, flavour.name()))
    }

    fn read(&mut self, name: &str, mode: Mode, end: Option<StepEnd>) -> File {
        let path = self.path(name, mode);
        match fs::read(&path) {
            Ok(bytes) => File::Made { bytes: bytes.into(), end },
            Err(error) => {
                self.built.problems.push(format!("{name}: no file came out: {error}"));
                File::Lacking
            }
        }
    }

    fn path(&self, name: &str, mode: Mode) -> PathBuf {
        let object = if self.case.recipe.objects.contains_key(name) { ".o" } else { "" };
        let control = if mode == Mode::Control { "control-" } else { "" };
        self.folder.join(format!("{control}{name}{object}"))
    }

    fn assemble(&mut self, name: &str, mode: Mode) -> Result<CommandOutcome, ToolError> {
        let absent = || ToolError::Absent(format!("no object '{name}'"));
        let object = self.case.recipe.objects.get(name).ok_or_else(absent)?;
        let mut flags = words(&object.flags);
        let mut define = |what: String| flags.extend(["--defsym".to_owned(), what]);
        for (symbol, value) in symbols(object.version(self.tools.version()), self.tools.abi()) {
            define(format!("{symbol}={value}"));
        }
        if mode == Mode::Control {
            define("CONTROL=1".to_owned());
        }
        let source = self.case.source(object, self.tools.abi());
        let source = fs::canonicalize(&source).unwrap_or(source);
        let maker = if mode == Mode::Control { Maker::Own } else { object.by };
        let output = self.path(name, mode);
        let done = self.tools.assemble(&Assembly {
            source: &source,
            output: &output,
            flags: &flags,
            sframe: object.sframe && mode == Mode::Real,
            maker,
            folder: self.folder,
        })?;
        self.note(&done, mode);
        Ok(done)
    }

    fn run(&mut self, step: &Step, mode: Mode) -> Result<CommandOutcome, ToolError> {
        let inputs: Vec<PathBuf> = step.from.iter().map(|name| self.path(name, mode)).collect();
        let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
        let flavour = self.tools.flavour(step.linker);
        let own = flavour.and_then(|flavour| step.options_for.get(&flavour)).map_or("", String::as_str);
        let options: Vec<String> =
            words(&step.options).into_iter().chain(words(own)).map(|word| self.fill(word)).collect();
        let output = self.path(&step.make, mode);
        let done = self.tools.run(&Work {
            kind: step.by,
            linker: step.linker,
            inputs: &inputs,
            output: &output,
            options: &options,
            folder: self.folder,
        })?;
        self.note(&done, mode);
        Ok(done)
    }

    fn note(&mut self, done: &CommandOutcome, mode: Mode) {
        if mode == Mode::Real {
            let command = self.without_folder(&done.command);
            self.built.commands.push(command);
        }
    }

    /// A text with the names of files in the working folder alone: its path is another each time.
    fn without_folder(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.folder.display()), "")
    }

    /// A word with the paths of the case's other files in place of their names in braces.
    fn fill(&self, mut word: String) -> String {
        for (name, file) in &self.case.recipe.files {
            let path = self.case.folder.join(file);
            let path = fs::canonicalize(&path).unwrap_or(path);
            word = word.replace(&format!("{{{name}}}"), &path.display().to_string());
        }
        word
    }

    /// Makes a file again, and all that it is made of, where no object has `.sframe`: what fails here too is no matter of SFrame.
    fn control(&mut self, name: &str) -> Result<(), ControlError> {
        let case = self.case;
        let needed = needed(case, name);
        for object in case.recipe.objects.keys().filter(|object| needed.contains(object.as_str())) {
            success(&self.assemble(object, Mode::Control)?)?;
        }
        for step in case.recipe.steps.iter().filter(|step| needed.contains(step.make.as_str())) {
            success(&self.run(step, Mode::Control)?)?;
        }
        Ok(())
    }
}

/// A file and all that it is made of.
fn needed<'a>(case: &'a LinkCase, name: &'a str) -> BTreeSet<&'a str> {
    let mut needed = BTreeSet::from([name]);
    for step in case.recipe.steps.iter().rev() {
        if needed.contains(step.make.as_str()) {
            needed.extend(step.from.iter().map(String::as_str));
        }
    }
    needed
}

fn success(done: &CommandOutcome) -> Result<(), ControlError> {
    if done.finished.success { Ok(()) } else { Err(ControlError::Fails(first_line(&done.finished.stderr))) }
}

fn end_of(done: &CommandOutcome) -> StepEnd {
    let stderr = &done.finished.stderr;
    let about = AboutSframe::of(stderr).first();
    StepEnd {
        success: done.finished.success,
        mentions_sframe: about.is_some(),
        complaint: match about.map(str::trim) {
            Some(line) if line != first_line(stderr) => format!("{}; {line}", first_line(stderr)),
            _ => first_line(stderr),
        },
    }
}

fn first_line(text: &str) -> String {
    text.lines().find(|line| !line.trim().is_empty()).unwrap_or("nothing was printed").trim().to_owned()
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// What sources may depend on, by symbols that the assembler defines: the version byte, the flag that starts count from their fields,
/// the byte order.
pub fn symbols(version: SframeVersion, abi: Abi) -> Vec<(&'static str, u8)> {
    let mut symbols = vec![("SFRAME_VERSION", version.number()), ("SFRAME_PCREL", u8::from(version.has_pcrel_flag()))];
    let facts = abi.facts();
    match facts.order {
        ByteOrder::Big if facts.both_orders => symbols.push(("BIG_ENDIAN", 1)),
        ByteOrder::Big | ByteOrder::Little => {}
    }
    symbols
}
