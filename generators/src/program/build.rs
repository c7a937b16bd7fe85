//! From a program to a file with all that is known about it.

use model::RuleId;

use super::Program;
use super::lower::lower;
use super::plan::plan;
use super::reached::Reached;
use super::tables::style;
use crate::sample::{Sample, SampleError};

/// A program as a file in the making, and what is true of it.
#[derive(Clone, Debug)]
pub struct Built {
    /// The file.
    pub sample: Sample,
    /// Offsets in the text of all instructions of functions, ascending.
    pub instructions: Vec<u64>,
    /// What it is an example of.
    pub reached: Reached,
    /// Rules that its version and style break: nothing is wrong with the tables, but a warning is due.
    pub warned: Vec<RuleId>,
    /// Most callers at once when it runs from `_start`.
    pub depth: u64,
}

impl Program {
    /// Machine code and tables.
    pub fn build(&self) -> Result<Built, SampleError> {
        let plan = plan(self);
        let lowered = lower(self, &plan);
        let emitted: Vec<_> = lowered.iter().map(|lowered| &lowered.emitted).collect();
        let functions = emitted.iter().map(|emitted| emitted.function.clone()).collect();
        let mut sample = Sample::with_tables(self.abi, self.version, self.kind, self.tables.place, functions)?;
        let warned = style(self, &emitted, &mut sample);
        let instructions = emitted
            .iter()
            .zip(&sample.functions)
            .flat_map(|(emitted, placed)| emitted.starts.iter().map(|start| placed.offset + u64::from(*start)))
            .collect();
        let styles = lowered.iter().flat_map(|lowered| lowered.styles.iter().copied());
        let reached = Reached::of(self, styles, &emitted, &sample);
        Ok(Built { sample, instructions, reached, warned, depth: plan.depth })
    }
}
