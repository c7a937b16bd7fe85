//! Two engines in lockstep: each state of the first is compared with that of the second.
//!
//! The environment is made the same for both. The second engine begins with a copy of the first
//! one's stack, at the same address; memory that the kernel provides is at the address that the
//! first one's kernel chose; `cpuid` and similar instructions give the values that the first engine
//! read. System calls that affect only the process are executed by both. For all others the second
//! engine takes over the result without making the call, so nothing outside of it is read or
//! written. Memory that such a call wrote may differ from then on: a difference after such a call
//! is not blamed on an engine; it ends the comparison with that reason. Signals arrive at the same
//! instructions as under the first engine, and threads are scheduled as there.

mod beside;
mod calls;
mod signals;
mod state;
mod threads;

use std::cell::RefCell;

use types::Step;
use types::memo::{Memo, NoMemo};
use witness::{Backend, Plan, Run};

use crate::engine::Remote;
use crate::error::RemoteError;
use crate::session::Session;

use beside::{SideBySide, Stop};
pub use state::{Difference, State};

/// Two engines in lockstep. The observer receives the first one's steps.
#[derive(Debug)]
pub struct Both<B> {
    first: B,
    second: Remote,
    compared: RefCell<Compared>,
}

/// The extent of a comparison of two engines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Number of steps at which both had the same state.
    pub steps: u64,
    /// The reason why the comparison ended before the run did.
    pub ended: Option<String>,
}

/// An error that prevents a result of two engines.
#[derive(Debug, thiserror::Error)]
pub enum BothError<E: std::error::Error> {
    /// The first engine failed.
    #[error(transparent)]
    First(E),
    /// The second engine failed.
    #[error("second engine: {0}")]
    Second(#[from] RemoteError),
    /// The engines differ: one of them executes an instruction wrongly.
    #[error("the engines differ: {0}")]
    Differ(Box<Difference>),
}

impl<B> Both<B> {
    /// Combines two engines.
    pub fn new(first: B, second: Remote) -> Both<B> {
        Both { first, second, compared: RefCell::default() }
    }

    /// The extent of the comparison in the last run.
    pub fn compared(&self) -> Compared {
        self.compared.borrow().clone()
    }
}

impl<B: Backend> Backend for Both<B> {
    type Error = BothError<B::Error>;

    fn run<M: Memo>(&self, plan: &Plan<'_>, observer: &mut M) -> Result<Run, BothError<B::Error>> {
        let session = Session::new(&self.second, plan)?;
        let mut beside = SideBySide::new(session, plan);
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
