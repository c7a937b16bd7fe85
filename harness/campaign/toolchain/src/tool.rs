//! An installed tool: one version of an entry for one ABI, with its commands.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use results::{ToolName, ToolVersion};
use types::{Abi, Bytes, SframeVersion};

use crate::cache::{Cache, Command};
use crate::entry::{ProducerEntry, Step};
use crate::files::Files;
use crate::process::{self, Bounds, Finished, ProcessError};

/// An installed tool.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Entry in the producers' file.
    pub entry: Arc<ProducerEntry>,
    /// Target of its output.
    pub abi: Abi,
    /// Version that it prints.
    pub version: ToolVersion,
    /// Path of its executable.
    pub program: PathBuf,
    /// First line of its version output.
    pub banner: String,
    pub(crate) sframe: Arc<[SframeVersion]>,
    pub(crate) cache: Option<Arc<Cache>>,
}

/// Parameters of a command.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// Kind of command.
    pub step: Step,
    /// Input files, by name.
    pub inputs: &'a [&'a str],
    /// Output file.
    pub output: &'a str,
    /// Arguments for `{options}`.
    pub options: &'a str,
    /// True to write `.sframe`, if the tool can.
    pub sframe: bool,
}

/// Result of a command.
#[derive(Clone, Debug)]
pub struct ToolRun {
    /// The command with the program's file name only: the same on every machine.
    pub command: String,
    /// Exit and output.
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
    pub fn sframe(&self) -> &[SframeVersion] {
        &self.sframe
    }

    /// Returns true if it has a command for the step.
    pub fn can(&self, step: Step) -> bool {
        self.entry.steps.contains_key(&step)
    }

    /// Words of a command, starting with the program.
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

    /// Runs a command on files, and adds its output file.
    ///
    /// # Errors
    /// It cannot start, exceeds its time, or makes a file larger than its limit; a failure of the
    /// tool itself is in the result.
    pub fn run(&self, order: &Order<'_>, files: &mut Files) -> Result<ToolRun, ProcessError> {
        let words = self.command(order)?;
        files.remove(order.output);
        let finished = match &self.cache {
            Some(cache) => {
                let asked = Command { words: &words, inputs: order.inputs, output: order.output };
                let run = |files: &mut Files| self.run_words(&words, order, files);
                cache.answer(&self.entry, &self.program, asked, files, run)?
            }
            None => self.run_words(&words, order, files)?,
        };
        Ok(ToolRun { command: self.for_people(&words), finished })
    }

    /// Runs a command that must succeed and make its file.
    pub fn must_run(&self, order: &Order<'_>, files: &mut Files) -> Result<ToolRun, ProcessError> {
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
            // One byte more, so that a file which reached the limit differs from one of exactly
            // that size.
            most_file: Some(most.saturating_add(1)),
            most_memory: None,
        };
        let folder = files.folder()?;
        let finished = process::run_bounded(program, &arguments, folder, bounds, &[])?;
        files.take(order.output, most).map_err(|error| failed(format!("{}: {error}", order.output)))?;
        let (stdout, stderr) = (files.without_folder(finished.stdout), files.without_folder(finished.stderr));
        Ok(Finished { stdout, stderr, ..finished })
    }

    /// The command with the program's file name only: the same on every machine.
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

/// The output file of a command that reported success.
pub fn made<'a>(order: &Order<'_>, ran: &ToolRun, files: &'a Files) -> Result<&'a Bytes, ProcessError> {
    let message = format!("it succeeded but made no {}", order.output);
    files.get(order.output).ok_or_else(|| ProcessError::Failed { program: ran.command.clone(), message })
}
