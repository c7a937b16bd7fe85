//! Files for testing structural rules: each broken file breaks one rule, and otherwise only rules
//! that the catalogue lists as implied; clean files break none, or only one that every file of
//! their version breaks.
//!
//! Rules are named by the IDs of `spec`'s catalogue; the broken files are written from the format's
//! text: those with a broken section are lines of `breaches.txt`, those with a broken container are
//! in `container`.

mod bench;
mod clean;
mod container;
mod plt;
mod section;

use spec::RuleId;
use types::{Abi, SframeVersion};

use crate::elf::FileKind;

pub use clean::{CleanFile, clean};

/// A file that breaks a rule.
#[derive(Clone, Debug)]
pub struct BrokenFile {
    /// The broken rule; all other broken rules are implied by it.
    pub rule: RuleId,
    /// Description of the error.
    pub note: &'static str,
    /// Offset in the section at which the breach is to be reported, if it has one.
    pub offset: Option<u64>,
    pub abi: Abi,
    pub version: SframeVersion,
    pub kind: FileKind,
    pub bytes: Vec<u8>,
}

impl BrokenFile {
    /// A name for reports: rule, note, target, version.
    pub fn name(&self) -> String {
        format!("{} ({}; {} {} {:?})", self.rule, self.note, self.abi, self.version, self.kind)
    }
}

/// A file for each way of breaking a structural rule that one file can show, grouped as in the
/// catalogue.
///
/// # Panics
/// When a specification in this crate cannot be encoded, which is tested.
pub fn broken() -> Vec<BrokenFile> {
    let mut files = section::broken();
    files.extend(container::broken());
    files
}
