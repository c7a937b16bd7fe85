//! Options and result of writing a core file of a program.

use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::options::Inputs;

/// Which step of a run is written, and where to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The place of the step.
    pub place: Place,
    /// The number of the step among those at the place, from 1.
    pub visit: u64,
    /// Maximum number of steps.
    pub step_limit: u64,
    /// Inputs of the program.
    pub inputs: Inputs,
    /// The file to write.
    pub out: PathBuf,
}

/// A place in a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// The instruction of this step, from 1.
    Step(u64),
    /// The instruction at an address.
    Address(u64),
    /// The instruction at an offset from a function or section.
    Named {
        /// Name of the function or section.
        name: String,
        /// Offset in bytes.
        offset: u64,
    },
}

/// Error: a text is not a place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a step number, 0xADDRESS or NAME[+0xOFFSET]")]
pub struct NoPlace;

impl FromStr for Place {
    type Err = NoPlace;

    fn from_str(text: &str) -> Result<Place, NoPlace> {
        let hex = |text: &str| u64::from_str_radix(text.strip_prefix("0x")?, 16).ok();
        if let Some(address) = hex(text) {
            return Ok(Place::Address(address));
        }
        if text.bytes().all(|byte| byte.is_ascii_digit()) {
            return text.parse().ok().filter(|step| *step > 0).map(Place::Step).ok_or(NoPlace);
        }
        match text.rsplit_once('+') {
            Some((name, offset)) => {
                let offset = hex(offset).or_else(|| offset.parse().ok()).ok_or(NoPlace)?;
                Ok(Place::Named { name: name.to_owned(), offset })
            }
            None => Ok(Place::Named { name: text.to_owned(), offset: 0 }),
        }
    }
}

/// A core file that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// Number of the step, from 1; its instruction is not executed.
    pub step: u64,
    /// Address of the instruction.
    pub pc: u64,
    /// The address as a place in its file.
    pub place: String,
    /// The true callers, innermost first.
    pub callers: Vec<Caller>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// Return address into it, without pointer authentication.
    pub ra: u64,
    /// The address as a place in its file.
    pub place: String,
    /// Its stack pointer as a debugger has to show it: after the return.
    pub sp: u64,
}
