//! Code that is under way in a machine that a stub has stopped: a kernel under qemu-system, a board.

use backend::Run;
use types::{Abi, RunEnd, Step, StopReason, Symbol};

use crate::connection::Connection;
use crate::error::RemoteError;
use crate::session::Session;
use crate::stub::{Stopped, Stub};

/// A part of an execution that began without us: from the first instruction of a function on.
#[derive(Clone, Debug)]
pub struct UnderWay<'a> {
    /// Where the stub is: HOST:PORT, or the path of a socket.
    pub address: &'a str,
    /// What it executes.
    pub abi: Abi,
    /// Where functions lie.
    pub functions: &'a [Symbol],
    /// The first instruction of the function. It is waited for 10 s.
    pub from: u64,
    /// The most steps to take; fewer if the function returns before.
    pub step_limit: u64,
}

impl UnderWay<'_> {
    /// Executes to the function, and from there one instruction at a time. The machine
    /// continues then without us.
    ///
    /// # Errors
    /// The stub cannot be used, or the function is not reached.
    pub fn follow(&self, observer: &mut dyn FnMut(&Step<'_>)) -> Result<Run, RemoteError> {
        const AT_HAND: u64 = 256;
        let mut stub = Stub::new(Connection::to_address(self.address)?, self.abi)?;
        if stub.go_on_to(&[self.from])? != Stopped::Step {
            return Err(RemoteError::Refused("to stop at the function"));
        }
        let mut session =
            Session::attached(stub, self.abi, self.functions, self.functions.iter().map(extent).collect())?;
        let back = session.begin_in_function()?;
        let end = loop {
            if let Err(end) = session.witness(AT_HAND)? {
                break end;
            }
            observer(&session.step());
            if session.steps() >= self.step_limit {
                break RunEnd::undecided(StopReason::StepLimit, session.pc(), "as many steps were taken as asked for");
            }
            if let Some(end) = session.advance()? {
                break end;
            }
            if session.pc() == back.pc && session.sp() == back.sp {
                break RunEnd::Sentinel;
            }
        };
        Ok(session.detach(end))
    }
}

fn extent(function: &Symbol) -> std::ops::Range<u64> {
    function.address..function.address.saturating_add(function.size)
}
