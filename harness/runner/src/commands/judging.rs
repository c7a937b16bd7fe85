//! Options of `check` and `sweep`: what of a file is judged, and within which bounds.

use std::time::Duration;

use check::{Chains, Execution, Judging, Limits, Options, Rows, Sframe, Uncalled};

#[derive(clap::Args)]
pub(crate) struct JudgingArgs {
    /// Leave the run out
    #[arg(long = "static")]
    static_only: bool,
    /// Also run functions that nothing calls
    #[arg(long)]
    explore: bool,
    /// Walk the whole chain at every step, not only at calls, returns and first visits
    #[arg(long)]
    whole_chain: bool,
    /// Evaluate rows at every step, also where all that they read is as it was when they were right
    #[arg(long)]
    every_step: bool,
    /// End a run as undecided after so many instructions
    #[arg(long, value_name = "N", default_value_t = Limits::default().steps)]
    step_limit: u64,
    /// End what is executed of a file after so many seconds, all runs together, as undecided
    #[arg(long, value_name = "N")]
    seconds: Option<u64>,
    /// A file without .sframe is an error
    #[arg(long)]
    require_sframe: bool,
}

impl JudgingArgs {
    /// As [`check::check()`] takes them, with nothing said of the program that is run.
    pub(crate) fn options(&self) -> Options {
        let usual = Judging::default();
        let judging = Judging {
            chains: if self.whole_chain { Chains::AtEveryStep } else { usual.chains },
            rows: if self.every_step { Rows::AtEveryStep } else { usual.rows },
            ..usual
        };
        let limits = Limits { steps: self.step_limit, time: self.seconds.map(Duration::from_secs) };
        let sframe = if self.require_sframe { Sframe::Required } else { Sframe::Optional };
        Options { execution: self.execution(Vec::new()), judging, limits, sframe, ..Options::default() }
    }

    /// What is executed, from these functions in place of the ELF entry.
    pub(crate) fn execution(&self, functions: Vec<String>) -> Execution {
        match Execution::functions(functions) {
            _ if self.static_only => Execution::Static,
            Execution::Run { start, .. } if self.explore => Execution::Run { start, uncalled: Uncalled::Explored },
            execution => execution,
        }
    }
}
