//! A checksum over what the tools of a trial make: where it is the same, so is the result.

use sha2::{Digest as _, Sha256};
use toolchain::entry::Step;
use toolchain::graph::{Graph, NodeResult};
use toolchain::tool::ToolRun;

use super::{Subject, Trial};
use crate::link;
use crate::pipeline::LINKED;

/// Which files of a trial are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outputs {
    /// Its objects: all that the assembler makes.
    Objects,
    All,
}

impl Trial {
    /// Builds the trial's files without judging them, and returns a checksum over them and what
    /// the tools printed; `None` if nothing is built, or a tool could not be run to its end.
    pub fn sum_of(&self, outputs: Outputs) -> Option<String> {
        let graph: Graph = match &self.subject {
            Subject::Built { case, pipeline } => pipeline.graph(case, self.key.abi, LINKED).ok()?,
            Subject::Linked { case, tools } => link::plan(case, tools).graph,
            Subject::Frozen { .. } | Subject::Absent { .. } => return None,
        };
        let graph = match outputs {
            Outputs::Objects => graph.of_steps(&[Step::Compile, Step::CompileObject, Step::Assemble]),
            Outputs::All => graph,
        };
        let mut sum = Sha256::new();
        // Each part with its length: no two lists of parts are the same bytes.
        let mut add = |part: &[u8]| {
            sum.update(u64::try_from(part.len()).unwrap_or_default().to_le_bytes());
            sum.update(part);
        };
        for (name, outcome) in graph.build() {
            add(name.as_bytes());
            let mut ran = |kind: &str, ran: &ToolRun| {
                let finished = &ran.finished;
                let end = format!("{kind} {} {:?} {:?}", finished.success, finished.code, finished.signal);
                [end.as_str(), &finished.stdout, &finished.stderr].into_iter().for_each(|text| add(text.as_bytes()));
            };
            match outcome {
                NodeResult::Made(bytes, run) => {
                    ran("made", &run);
                    add(&bytes);
                }
                NodeResult::Refused(run) => ran("refused", &run),
                NodeResult::Fails(run, why) => {
                    ran("fails", &run);
                    add(why.as_bytes());
                }
                NodeResult::Broken(_) => return None,
                NodeResult::Lacking => add(b"lacking"),
            }
        }
        Some(sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}
