//! A tool that was found: one version of one entry, for one ABI, and its commands.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use results::{ToolName, ToolVersion};
use types::{Abi, Bytes, SframeVersion};

use crate::cache::{Cache, Command};
use crate::entry::{Entry, Step, writes};
use crate::files::Files;
use crate::process::{self, Bounds, Finished, ProcessError};

/// A tool on this machine.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Its entry in the producers' file.
    pub entry: Arc<Entry>,
    /// The target that it makes code for.
    pub abi: Abi,
    /// As it prints it.
    pub version: ToolVersion,
    /// Its executable file.
    pub program: PathBuf,
    /// The first line of what it prints about its version.
    pub banner: String,
    /// Answers to what it was asked before.
    pub(crate) cache: Option<Arc<Cache>>,
}

/// What a command is to do.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// Which of the tool's commands.
    pub step: Step,
    /// Files it takes, by their names.
    pub inputs: &'a [&'a str],
    /// The file it makes.
    pub output: &'a str,
    /// Words for `{options}`.
    pub options: &'a str,
    /// With `.sframe`, where the tool can write it.
    pub sframe: bool,
}

/// What a command did.
#[derive(Clone, Debug)]
pub struct Ran {
    /// The command with the program's file name alone: the same on every machine.
    pub command: String,
    /// How it ended and what it printed.
    pub finished: Finished,
}

impl Tool {
    /// `name@version`, as in trial names.
    pub fn name(&self) -> String {
        self.tool_name().to_string()
    }

    /// Its name and version.
    pub fn tool_name(&self) -> ToolName {
        ToolName { name: self.entry.name.clone(), version: self.version.clone() }
    }

    /// SFrame versions that it writes (one), or merges (any number), for its ABI.
    pub fn sframe(&self) -> Vec<SframeVersion> {
        writes(&self.entry.sframe, &self.version, self.abi)
    }

    /// Returns true if it has a command for the step.
    pub fn can(&self, step: Step) -> bool {
        self.entry.steps.contains_key(&step)
    }

    /// The words of a command.
    ///
    /// # Errors
    /// If the entry has no command for the step.
    pub fn command(&self, order: &Order<'_>) -> Result<Vec<String>, ProcessError> {
        let failed = |message: String| ProcessError::Failed { program: self.name(), message };
        let template = self.entry.steps.get(&order.step);
        let template = template.ok_or_else(|| failed(format!("it has no step '{}'", order.step.name())))?;
        let mut words = Vec::new();
        for word in template.split_whitespace() {
            let split = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            match word {
                "{abi}" => words.extend(split(self.entry.abi_words.get(self.abi).map_or("", String::as_str))),
                "{sframe}" if order.sframe && !self.sframe().is_empty() => {
                    words.extend(split(&self.entry.sframe_words))
                }
                "{sframe}" => {}
                "{options}" => words.extend(split(order.options)),
                "{inputs}" => words.extend(order.inputs.iter().map(|input| (*input).to_owned())),
                _ => words.push(
                    word.replace("{program}", &self.program.display().to_string())
                        .replace("{folder}", &self.program.parent().unwrap_or(Path::new(".")).display().to_string())
                        .replace("{output}", order.output),
                ),
            }
        }
        Ok(words)
    }

    /// Runs a command on files, and adds the one that it makes.
    ///
    /// # Errors
    /// When it cannot start, does not end in time, or makes a file larger than its limit; a failure
    /// of its own is in what it gives.
    pub fn run(&self, order: &Order<'_>, files: &mut Files) -> Result<Ran, ProcessError> {
        let words = self.command(order)?;
        files.remove(order.output);
        let finished = match &self.cache {
            Some(cache) => {
                let asked = Command { words: &words, inputs: order.inputs, output: order.output };
                let run = |files: &mut Files| self.run_words(&words, order, files);
                cache.answer((&self.entry, &self.program), asked, files, run)?
            }
            None => self.run_words(&words, order, files)?,
        };
        Ok(Ran { command: self.for_people(&words), finished })
    }

    /// Runs a command that must succeed and make its file.
    ///
    /// # Errors
    /// Also when it fails or makes no file.
    pub fn must_run(&self, order: &Order<'_>, files: &mut Files) -> Result<Ran, ProcessError> {
        let ran = self.run(order, files)?;
        match ran.finished.success {
            true => made(order, &ran, files).map(|_| ran.clone()),
            false => Err(ProcessError::Failed { message: ran.finished.complaint(), program: ran.command }),
        }
    }

    fn run_words(&self, words: &[String], order: &Order<'_>, files: &mut Files) -> Result<Finished, ProcessError> {
        let failed = |message| ProcessError::Failed { program: self.name(), message };
        let empty = || failed(format!("the step '{}' is empty", order.step.name()));
        let (program, arguments) = words.split_first().ok_or_else(empty)?;
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let most = self.entry.limits.file_mib.saturating_mul(1 << 20);
        let bounds = Bounds {
            time: Duration::from_secs(self.entry.limits.seconds),
            // One byte more, so that a file which grew to the bound differs from one that was just
            // large enough.
            most_file: Some(most.saturating_add(1)),
            most_memory: None,
        };
        let folder = files.folder()?;
        let finished = process::run_bounded(program, &arguments, folder, bounds, &[])?;
        files.take(order.output, most).map_err(|error| failed(format!("{}: {error}", order.output)))?;
        let (stdout, stderr) = (files.without_folder(finished.stdout), files.without_folder(finished.stderr));
        Ok(Finished { stdout, stderr, ..finished })
    }

    /// The command with the program's file name alone: the same on every machine.
    fn for_people(&self, words: &[String]) -> String {
        let program = self.program.display().to_string();
        let name = self.program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        words
            .iter()
            .map(|word| if *word == program { name.clone() } else { word.clone() })
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// The output of a command that reports success.
///
/// # Errors
/// When it has not made it.
pub fn made<'a>(order: &Order<'_>, ran: &Ran, files: &'a Files) -> Result<&'a Bytes, ProcessError> {
    let message = format!("it succeeded and made no {}", order.output);
    files.get(order.output).ok_or_else(|| ProcessError::Failed { program: ran.command.clone(), message })
}
