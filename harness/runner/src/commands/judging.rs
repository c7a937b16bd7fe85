//! Options of `check` and `sweep`: the parts of a file that are judged, and limits.

use std::time::Duration;

use check::{Chains, Execution, Judging, Limits, Options, Rows, Sframe, Synchronous, Uncalled};

#[derive(clap::Args)]
pub(crate) struct JudgingArgs {
    /// do static checks only, execute nothing
    #[arg(long = "static", conflicts_with = "explore", help_heading = "Execution")]
    static_only: bool,
    /// also execute every function, with invented inputs, both ways at each branch
    #[arg(long, help_heading = "Execution")]
    pub(super) explore: bool,
    /// walk the whole chain at every step, not only at calls, returns and first visits
    #[arg(long, help_heading = "Execution")]
    whole_chain: bool,
    /// evaluate the tables at every step, without cached verdicts (slow)
    #[arg(long, help_heading = "Execution")]
    every_step: bool,
    /// end a run as undecided after this many instructions
    #[arg(long, value_name = "N", default_value_t = Limits::default().steps, help_heading = "Execution")]
    step_limit: u64,
    /// end the runs of a file as undecided after this many seconds [default: no limit]
    #[arg(long, value_name = "N", help_heading = "Execution")]
    seconds: Option<u64>,
    /// count a file without .sframe as an error
    #[arg(long, help_heading = "Verdict")]
    require_sframe: bool,
    /// accept synchronous unwind tables, which are right at calls only: a note, not an error
    #[arg(long, help_heading = "Verdict")]
    sync_tables: bool,
}

impl JudgingArgs {
    /// The options for [`check::check()`], without the program's inputs.
    pub(crate) fn options(&self) -> Options {
        let judging = Judging {
            chains: if self.whole_chain { Chains::AtEveryStep } else { Chains::AtCalls },
            rows: if self.every_step { Rows::AtEveryStep } else { Rows::Changed },
        };
        let limits = Limits { steps: self.step_limit, time: self.seconds.map(Duration::from_secs) };
        let sframe = if self.require_sframe { Sframe::Required } else { Sframe::Optional };
        let synchronous = if self.sync_tables { Synchronous::Note } else { Synchronous::Error };
        Options { execution: self.execution(Vec::new()), judging, limits, sframe, synchronous, ..Options::default() }
    }

    /// The parts that are executed, starting from these functions instead of the ELF entry.
    pub(crate) fn execution(&self, functions: Vec<String>) -> Execution {
        match Execution::functions(functions) {
            _ if self.static_only => Execution::Static,
            Execution::Run { start, .. } if self.explore => Execution::Run { start, uncalled: Uncalled::Explored },
            execution => execution,
        }
    }
}
