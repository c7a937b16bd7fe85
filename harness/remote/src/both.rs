//! Two engines in step: each state of the first is compared with that of the second.
//!
//! What is outside the program is made the same for both. The second begins with the first one's
//! stack, at the same address; memory that the kernel gives is where the first one's kernel gave
//! it; what `cpuid` and the like read is what the first one read. System calls that change nothing
//! but the process are executed by both. Of all others the second takes over the result without
//! making the call, so nothing outside it is read or written. What such a call wrote to memory may
//! differ from then on: a difference after it is no fault of an engine, and ends the comparison by
//! that name. Signals come where they come under the first, and threads take turns as they do there.

mod beside;
mod calls;
mod signals;
mod state;
mod threads;

use std::cell::RefCell;

use backend::{Backend, Plan, Run};
use types::Step;
use types::memo::{Memo, NoMemo};

use crate::engine::Remote;
use crate::error::RemoteError;
use crate::session::Session;

use beside::{Beside, Stop};
pub use state::{Difference, State};

/// Two engines in step. The observer is shown the first one's steps.
#[derive(Debug)]
pub struct Both<B> {
    first: B,
    second: Remote,
    compared: RefCell<Compared>,
}

/// How far two engines were compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Steps at which both had the same state.
    pub steps: u64,
    /// Why the comparison ended before the run did.
    pub ended: Option<String>,
}

/// Why two engines gave no run.
#[derive(Debug, thiserror::Error)]
pub enum BothError<E: std::error::Error> {
    /// The first engine failed.
    #[error(transparent)]
    First(E),
    /// The second engine failed.
    #[error("second engine: {0}")]
    Second(#[from] RemoteError),
    /// They differ: one of them executes an instruction wrongly.
    #[error("the engines differ: {0}")]
    Differ(Box<Difference>),
}

impl<B> Both<B> {
    /// Two engines.
    pub fn new(first: B, second: Remote) -> Both<B> {
        Both { first, second, compared: RefCell::default() }
    }

    /// How far the last run was compared.
    pub fn compared(&self) -> Compared {
        self.compared.borrow().clone()
    }
}

impl<B: Backend> Backend for Both<B> {
    type Error = BothError<B::Error>;

    fn run<M: Memo>(&self, plan: &Plan<'_>, observer: &mut M) -> Result<Run, BothError<B::Error>> {
        let session = Session::new(&self.second, plan)?;
        let mut beside = Beside::new(session, plan);
        let mut stopped = None;
        let mut both = |step: &Step<'_>| {
            if stopped.is_none() {
                stopped = beside.follow(step).err();
            }
            observer.step(step);
        };
        let run = self.first.run(plan, &mut NoMemo(&mut both)).map_err(BothError::First)?;
        let stopped = stopped.or_else(|| beside.follow_to_end(&run.end).err());
        let mut compared = beside.compared().clone();
        match stopped {
            None => {}
            Some(Stop::Until(reason)) => compared.ended = Some(reason),
            Some(Stop::Failed(error)) => return Err(error.into()),
            Some(Stop::Differ(difference)) => return Err(BothError::Differ(difference)),
        }
        beside.finish(run.end.clone());
        self.compared.replace(compared);
        Ok(run)
    }
}
