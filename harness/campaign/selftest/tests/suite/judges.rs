//! The judge, and judges that are worse.

use check::{Options, check};
use results::{Blame, Report};
use spec::Severity;
use types::Bytes;

pub(crate) fn own(name: &str, bytes: &[u8], options: &Options) -> Report {
    check(name, &Bytes::copy_from_slice(bytes), options).report
}

/// Reports warnings only.
pub(crate) fn timid(name: &str, bytes: &[u8], options: &Options) -> Report {
    let mut report = own(name, bytes, options);
    report.discrepancies.iter_mut().for_each(|found| found.severity = found.severity.min(Severity::Warning));
    report
}

/// Blames the compiler for everything.
pub(crate) fn grudge(name: &str, bytes: &[u8], options: &Options) -> Report {
    let mut report = own(name, bytes, options);
    for found in &mut report.discrepancies {
        *found = found.clone().blamed(Blame::Compiler);
    }
    report
}
