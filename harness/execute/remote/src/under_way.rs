//! Follows code in a running machine that a stub has stopped: a kernel under qemu-system, or a
//! board.

use types::{Abi, RunEnd, Step, StopReason, Symbol};
use witness::Run;

use crate::connection::Connection;
use crate::error::RemoteError;
use crate::session::Session;
use crate::stub::{Stopped, Stub};

/// A part of a machine's execution, from the first instruction of a function on.
#[derive(Clone, Debug)]
pub struct UnderWay<'a> {
    /// Address of the stub: HOST:PORT, or the path of a socket.
    pub address: &'a str,
    /// ABI of the executed code.
    pub abi: Abi,
    /// The functions with their addresses.
    pub functions: &'a [Symbol],
    /// Address of the function's first instruction. The time limit for reaching it is 10 s.
    pub from: u64,
    /// Maximum number of steps; fewer if the function returns earlier.
    pub step_limit: u64,
}

impl UnderWay<'_> {
    /// Executes to the function, and from there one instruction at a time. Then detaches, and the
    /// machine continues.
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
                break RunEnd::undecided(StopReason::StepLimit, session.pc(), "the limit of steps was reached");
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
