//! The engine or engines that execute a file's programs.

use machine::Unicorn;
use remote::{Both, BothError, Compared, Remote, StubSource};
use types::Bytes;
use types::memo::Memo;
use witness::{Backend as _, Plan, Run};

use super::error::CheckError;
use super::stopped::{Stops, run_until};
use crate::options::{Engine, Stub};

/// The engines of a file.
pub(super) struct Engines {
    unicorn: Unicorn,
    second: Option<Second>,
}

enum Second {
    Alone(Remote),
    Beside(Both<Unicorn>),
}

impl Engines {
    pub(super) fn new(unicorn: Unicorn, engine: &Engine, file: &Bytes) -> Engines {
        let remote = |stub: &Stub| {
            let target = match stub {
                Stub::Qemu { fetched } => StubSource::Qemu { fetched: fetched.clone() },
                Stub::Address(address) => StubSource::Address(address.clone()),
            };
            Remote { target, file: file.clone() }
        };
        let second = match engine {
            Engine::Unicorn => None,
            Engine::Remote(stub) => Some(Second::Alone(remote(stub))),
            Engine::Both(stub) => Some(Second::Beside(Both::new(unicorn, remote(stub)))),
        };
        Engines { unicorn, second }
    }

    /// Executes a plan as the file's run number `number`.
    pub(super) fn run<M: Memo>(
        &self,
        plan: &Plan<'_>,
        number: u64,
        stops: Stops<'_>,
        observer: &mut M,
    ) -> Result<Run, CheckError> {
        Ok(match &self.second {
            None => run_until(self.unicorn, plan, number, stops, observer)?,
            Some(Second::Alone(remote)) => remote.run(plan, observer)?,
            Some(Second::Beside(both)) => both.run(plan, observer).map_err(|error| match error {
                BothError::First(error) => CheckError::from(error),
                BothError::Second(error) => error.into(),
                BothError::Differ(difference) => CheckError::EnginesDiffer(difference),
            })?,
        })
    }

    /// A sentence about how far the engines were compared in the last run; `None` if they were not.
    pub(super) fn compared(&self) -> Option<String> {
        let Some(Second::Beside(both)) = &self.second else { return None };
        let compared = both.compared();
        if compared == Compared::default() {
            return None;
        }
        let ended = compared.ended.map(|reason| format!("; the comparison ended there: {reason}")).unwrap_or_default();
        let steps = types::counted(compared.steps, "step");
        Some(format!("{steps} compared with the second engine, no difference{ended}"))
    }
}
