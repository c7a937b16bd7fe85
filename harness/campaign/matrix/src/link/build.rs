//! Executes a recipe: the result of every object and step.

use std::collections::BTreeMap;

use judge::link::StepEnd;
use toolchain::complaint::SframeLines;
use toolchain::graph::NodeResult;
use toolchain::process::{Finished, ProcessError};
use types::Bytes;

use super::lack::Lack;
use super::plan::{Plan, file_of, plan};
use super::recipe::LinkCase;
use super::tools::LinkTools;

/// Result for a file of a recipe.
#[derive(Clone, Debug)]
pub(super) enum File {
    /// The file was made; `end` is how its step ended, `None` for objects.
    Made { bytes: Bytes, end: Option<StepEnd> },
    /// The tool refused, and does not if no input has `.sframe`.
    Refused { end: StepEnd, signal: Option<i32> },
    /// The file cannot be made here, for this reason.
    Unsupported(Lack),
    /// The tool failed in a way that is a problem, or an input is missing.
    Lacking,
}

/// Result of executing a recipe.
#[derive(Debug, Default)]
pub(super) struct RecipeFiles {
    /// Result for every object and step, by its name in the recipe.
    pub(super) files: BTreeMap<String, File>,
    /// The commands, in order.
    pub(super) commands: Vec<String>,
    /// Problems that kept the recipe from being executed.
    pub(super) problems: Vec<String>,
    /// Sources and outputs, by name.
    pub(super) made: BTreeMap<String, Bytes>,
}

/// Executes a recipe.
pub(super) fn build(case: &LinkCase, tools: &LinkTools) -> Result<RecipeFiles, ProcessError> {
    let Plan { graph, unsupported, problems } = plan(case, tools);
    let mut outcomes = graph.build();
    let made = graph.made(&outcomes);
    let mut built = RecipeFiles { problems, made, ..RecipeFiles::default() };
    for (name, why) in unsupported {
        built.files.insert(name, File::Unsupported(why));
    }
    let objects = case.recipe.objects.keys().map(|name| (name, &[][..]));
    let steps = case.recipe.steps.iter().map(|step| (&step.make, step.from.as_slice()));
    for (name, from) in objects.chain(steps) {
        if let Some(outcome) = outcomes.remove(&file_of(case, name)) {
            built.commands.extend(outcome.ran().map(|ran| ran.command.clone()));
            let file = built.file(name, from, outcome)?;
            built.files.insert(name.clone(), file);
        }
    }
    Ok(built)
}

impl RecipeFiles {
    /// Result for a file made from these inputs; no inputs for an object.
    fn file(&mut self, name: &str, from: &[String], outcome: NodeResult) -> Result<File, ProcessError> {
        let is_object = from.is_empty();
        let (ran, why) = match outcome {
            NodeResult::Made(bytes, ran) => {
                return Ok(File::Made { bytes, end: (!is_object).then(|| end_of(&ran.finished)) });
            }
            NodeResult::Broken(error) if error.may_be_of_host() => return Err(error),
            NodeResult::Broken(error) => {
                self.problems.push(format!("{name}: {error}"));
                return Ok(File::Lacking);
            }
            NodeResult::Lacking => {
                let unsupported = from.iter().find_map(|input| match self.files.get(input) {
                    Some(File::Unsupported(why)) => Some(why.clone()),
                    _ => None,
                });
                return Ok(unsupported.map_or(File::Lacking, File::Unsupported));
            }
            NodeResult::Refused(ran) => (ran, None),
            NodeResult::Fails(ran, why) => (ran, Some(why)),
        };
        if is_object {
            self.problems.push(format!("{name}: {}: {}", ran.command, first_line(&ran.finished.stderr)));
            return Ok(File::Lacking);
        }
        let end = end_of(&ran.finished);
        Ok(match why {
            None => File::Refused { end, signal: ran.finished.signal },
            Some(why) => {
                let both = format!("{}: {}", end.complaint, first_line(&why));
                File::Unsupported(Lack::Control { file: name.to_owned(), why: both })
            }
        })
    }
}

fn end_of(finished: &Finished) -> StepEnd {
    let stderr = &finished.stderr;
    let about = SframeLines::parse(stderr).first();
    StepEnd {
        success: finished.success,
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
