//! Assemblers under test: those of the producers' file that write `.sframe`, each for one ABI, with
//! a linker.

use std::path::Path;
use std::sync::Arc;

use results::ToolName;
use toolchain::entry::{Kind, Step};
use toolchain::files::Files;
use toolchain::process::{Finished, ProcessError};
use toolchain::producers::{Producers, ProducersError};
use toolchain::tool::{self, Order};
use types::{Abi, Unknown};

/// An assembler that writes `.sframe` for an ABI.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Name: `gas@2.40`, `clang@22.1.8`.
    pub name: String,
    /// Target.
    pub abi: Abi,
    assembler: tool::Tool,
    linker: Option<tool::Tool>,
}

/// Time limit in seconds: a file of a few dozen lines takes milliseconds, so an assembler that
/// takes longer hangs.
const MOST_SECONDS: u64 = 10;

/// Installed assemblers, including compilers that assemble, in the order of the producers' file; if
/// some are `named`, by name alone or with the beginning of the version, only these.
pub fn all(producers: &Producers, named: &[String]) -> Result<Vec<Tool>, Unknown> {
    let mut tools = Vec::new();
    for entry in producers.entries().filter(|entry| entry.steps.contains_key(&Step::Assemble)) {
        for abi in Abi::ALL {
            let found = producers.tools(&entry.name, abi).unwrap_or_default();
            tools.extend(
                found
                    .iter()
                    .filter(|tool| !tool.sframe().is_empty())
                    .map(|assembler| with_linker(producers, assembler)),
            );
        }
    }
    let is_a =
        |tool: &Tool, name: &str| tool.name.split('@').next() == Some(name) || ToolName::is_text_a(&tool.name, name);
    if let Some(name) = named.iter().find(|name| !tools.iter().any(|tool| is_a(tool, name))) {
        return Err(Unknown::new("assembler", name, tools.into_iter().map(|tool| tool.name)));
    }
    tools.retain(|tool| named.is_empty() || named.iter().any(|name| is_a(tool, name)));
    Ok(tools)
}

/// Assemblers of the shipped producers' file, or of the one in the environment variable.
pub fn of_file(root: &Path) -> Result<Vec<Tool>, ProducersError> {
    Ok(all(&Producers::new(None, root)?, &[]).unwrap_or_default())
}

fn with_linker(producers: &Producers, assembler: &tool::Tool) -> Tool {
    let written = assembler.sframe();
    let merges = |linker: &tool::Tool| {
        let merged = linker.sframe();
        linker.can(Step::Link) && (merged.is_empty() || written.iter().all(|version| merged.contains(version)))
    };
    Tool {
        name: assembler.name(),
        abi: assembler.abi,
        assembler: hurried(assembler),
        linker: producers.partner(assembler, Kind::Linker, merges).map(hurried),
    }
}

/// The tool with a lower time limit.
fn hurried(tool: &tool::Tool) -> tool::Tool {
    let mut tool = tool.clone();
    let limits = &mut Arc::make_mut(&mut tool.entry).limits;
    limits.seconds = limits.seconds.min(MOST_SECONDS);
    tool
}

impl Tool {
    /// Assembles a file.
    ///
    /// # Errors
    /// The tool cannot start or hangs; a failure of the tool itself is in the result.
    pub fn assemble(&self, files: &mut Files, source: &str, object: &str) -> Result<Finished, ProcessError> {
        run(&self.assembler, Step::Assemble, files, source, object)
    }

    /// Links an object; `None` without a linker. An error if the linker cannot start or hangs.
    pub fn link(&self, files: &mut Files, object: &str, executable: &str) -> Option<Result<Finished, ProcessError>> {
        self.linker.as_ref().map(|linker| run(linker, Step::Link, files, object, executable))
    }
}

fn run(tool: &tool::Tool, step: Step, files: &mut Files, input: &str, output: &str) -> Result<Finished, ProcessError> {
    let order = Order { step, inputs: &[input], output, options: "", sframe: true };
    Ok(tool.run(&order, files)?.finished)
}
