//! The tools that a recipe is carried out with, behind a trait: who they are and where they lie is the caller's matter.

use std::path::Path;

use model::{Abi, SframeVersion};
use toolchain::entry::Flavour;
use toolchain::process::{Finished, ProcessError};

use super::StepKind;

/// An assembler, a linker and post-processors for one ABI.
pub trait Toolbox {
    /// The target of all of them.
    fn abi(&self) -> Abi;

    /// The SFrame version that the assembler writes.
    fn version(&self) -> SframeVersion;

    /// The family of a linker: which options it takes. None where it is not there.
    fn flavour(&self, linker: Linker) -> Option<Flavour>;

    /// Assembles a file.
    ///
    /// # Errors
    /// When the tool is not there, cannot be started or does not end. A failing exit status is no error.
    fn assemble(&self, work: &Assembly<'_>) -> Result<CommandOutcome, ToolError>;

    /// Links or post-processes.
    ///
    /// # Errors
    /// As [`Toolbox::assemble`].
    fn run(&self, work: &Work<'_>) -> Result<CommandOutcome, ToolError>;
}

/// One file to assemble.
#[derive(Clone, Copy, Debug)]
pub struct Assembly<'a> {
    /// The source.
    pub source: &'a Path,
    /// The object to write.
    pub output: &'a Path,
    /// Words for the assembler besides those that choose the target and ask for `.sframe`.
    pub flags: &'a [String],
    /// Ask for `.sframe`.
    pub sframe: bool,
    /// Which assembler.
    pub maker: Maker,
    /// Working folder.
    pub folder: &'a Path,
}

/// Whose assembler makes an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Maker {
    /// The one that the trial is named after.
    #[default]
    Own,
    /// One that writes another SFrame version for the same target.
    OtherVersion,
}

/// Whose linker carries a step out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Linker {
    /// The one under test.
    #[default]
    Own,
    /// One of another family, whose output the one under test takes.
    Other,
}

/// One step to carry out.
#[derive(Clone, Copy, Debug)]
pub struct Work<'a> {
    /// What to do.
    pub kind: StepKind,
    /// With which linker, where one does it.
    pub linker: Linker,
    /// Files, in order.
    pub inputs: &'a [&'a Path],
    /// The file to write.
    pub output: &'a Path,
    /// Words besides those that choose the target and name the output.
    pub options: &'a [String],
    /// Working folder.
    pub folder: &'a Path,
}

/// A command that ended.
#[derive(Clone, Debug)]
pub struct CommandOutcome {
    /// The command as one would type it.
    pub command: String,
    /// How it ended.
    pub finished: Finished,
}

/// A command that gave no result.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// This machine has no such tool: the step is not supported here.
    #[error("{0}")]
    Absent(String),
    /// It could not be run to its end.
    #[error(transparent)]
    Process(#[from] ProcessError),
}
