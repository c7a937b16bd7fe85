//! The kernel's signal frame, as call frame information of the code that a handler returns to: SP
//! is as after the handler's return.

use types::{Abi, Reg};

use super::OwnCfi;
use super::cfi::{loaded, sum};
use crate::arch::{SignalFrame, target};
use crate::eh_frame::Cfi;

/// The signal frame of a target.
pub(crate) fn signal_frame(abi: Abi) -> OwnCfi {
    let SignalFrame { runs, return_column } = target(abi).signal;
    let sp = abi.facts().sp;
    let saved: Vec<(Reg, i64)> = runs
        .iter()
        .flat_map(|(from, registers)| registers.iter().zip((*from..).step_by(8)))
        .map(|(register, at)| (Reg(*register), at))
        .collect();
    let program = saved.iter().map(|(register, at)| match *register == sp {
        true => Cfi::DefCfaExpression(cfa(abi, *at)),
        false => Cfi::Expression(*register, sum(sp, *at)),
    });
    // If SP is not the CFA, SP has a rule of its own.
    let own = saved.iter().filter(|(register, _)| *register == sp && abi.facts().caller_sp_minus_cfa != 0);
    let own = own.map(|(register, at)| Cfi::Expression(*register, sum(sp, *at)));
    OwnCfi { return_column, program: program.chain(own).map(|cfi| (0, cfi)).collect() }
}

/// An expression for the CFA: the interrupted SP plus the ABI's offset.
fn cfa(abi: Abi, at: i64) -> Vec<u8> {
    let mut expression = loaded(abi.facts().sp, at);
    match -abi.facts().caller_sp_minus_cfa {
        0 => {}
        above => {
            // DW_OP_plus_uconst
            let mut more = crate::bytes::Bytes::new(abi.facts().order);
            more.u8(0x23);
            more.uleb(above as u64);
            expression.extend(more.finish());
        }
    }
    expression
}
