//! The unwinding methods, each an implementor of [`Method`].

mod back_chain;
mod code;
mod frame_pointer;
mod patterns;
mod tables;

use types::Abi;

pub use self::back_chain::BackChain;
pub use self::code::CodeAnalysis;
pub use self::frame_pointer::FramePointer;
pub use self::patterns::Patterns;
pub use self::tables::{ByTable, SframeOrFramePointer, TableOf};
use crate::{Method, Parts};

/// The methods for an ABI, in the order of results. On s390x FP begins no chain; the back chain
/// replaces it (ELF ABI s390x Supplement, "The Stack Frame").
pub fn all<'p>(abi: Abi, parts: &'p Parts<'p>) -> Vec<Box<dyn Method + 'p>> {
    let by = |table| ByTable { parts, table };
    let mut methods: Vec<Box<dyn Method + 'p>> = match abi {
        Abi::Amd64 | Abi::Aarch64 | Abi::Aarch64Be => vec![
            Box::new(FramePointer { abi, parts }),
            Box::new(Patterns { walk: FramePointer { abi, parts } }),
            Box::new(CodeAnalysis::new(abi, parts)),
            Box::new(by(TableOf::Sframe)),
            Box::new(SframeOrFramePointer { table: by(TableOf::Sframe), walk: FramePointer { abi, parts } }),
        ],
        Abi::S390x => vec![
            Box::new(BackChain { parts }),
            Box::new(Patterns { walk: BackChain { parts } }),
            Box::new(CodeAnalysis::new(abi, parts)),
            Box::new(by(TableOf::Sframe)),
            Box::new(SframeOrFramePointer { table: by(TableOf::Sframe), walk: BackChain { parts } }),
        ],
    };
    methods.push(Box::new(by(TableOf::Synthesised)));
    methods.push(Box::new(by(TableOf::EhFrame)));
    methods
}
