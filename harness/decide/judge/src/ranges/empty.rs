//! FDEs of `.eh_frame` that cover no bytes.

use results::{Blame, Finding};
use spec::{RuleId, Severity};
use types::{Image, ImageKind};
use unwind::{CfiUnwinder, FunctionRange};

use super::{of_fde, undescribed_code};
use crate::eh_frame_hdr;
use crate::tables::Tables;

/// Reports FDEs without bytes where another FDE begins, or where code is that none describes. An
/// empty FDE elsewhere may be that of an empty function.
pub(super) fn findings(image: &Image, tables: &Tables, cfi: &CfiUnwinder, live: &[FunctionRange]) -> Vec<Finding> {
    // Without a search table, readers sort the FDEs, and may find either of two with one start.
    let may_hide = image.kind != ImageKind::Relocatable && !eh_frame_hdr::is_there(image);
    let one = |range: &FunctionRange| {
        let start = range.start;
        let (beside, place) = (cfi.starting_at(start).find(|other| other.start < other.end), image.place(start.0));
        let message = match beside {
            Some(other) => {
                format!("the FDE at {:#x} covers no code, that at {:#x} describes {place}", range.offset, other.offset)
            }
            None => {
                let is_named = image.symbols_at(start).next().is_some();
                undescribed_code(image, tables, start).filter(|code| code.start == start.0 || is_named)?;
                format!("the FDE at {:#x} covers no code of {place}", range.offset)
            }
        };
        let mut found = of_fde(image, RuleId::EhFrameEmpty, Blame::EhFrame, range, (start.0, start.0), message);
        if may_hide && beside.is_some() {
            found.severity = Severity::Error;
        }
        Some(found)
    };
    live.iter().filter(|range| range.start == range.end).filter_map(one).collect()
}
