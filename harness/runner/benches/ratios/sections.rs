//! The sections that are read: about 6 MB in each version, with functions like compilers', the same
//! in every run.

use generators::sframe::{Base, FunctionSpec, RowSpec, SectionAddress, SectionSpec, encode};
use types::{Abi, SframeVersion};

/// Enough for 5 MB in the version that needs the fewest bytes.
const FUNCTIONS: u64 = 180_000;
/// Address of the code.
const CODE: u64 = 0x40_0000;
pub(crate) const ADDRESS: u64 = 0x2000_0000;
/// Alignment of functions.
const ALIGNMENT: u64 = 16;

/// A section, with the code that it describes.
pub(crate) struct Made {
    pub(crate) bytes: Vec<u8>,
    /// First address of the code, and its size in bytes.
    pub(crate) code: (u64, u64),
}

/// The section of a version. Its rows are default ones, because libsframe returns no offsets for
/// flex rows.
pub(crate) fn made(version: SframeVersion) -> Made {
    let mut spec = SectionSpec::new(Abi::Amd64, version);
    let mut at = CODE;
    for index in 0..FUNCTIONS {
        let (size, rows) = function(index);
        let function = FunctionSpec::new(at, size, rows);
        spec.functions.push(FunctionSpec { starts: FunctionSpec::narrowest_starts(size), ..function });
        at = (at + u64::from(size)).next_multiple_of(ALIGNMENT);
    }
    let bytes = encode(&spec, SectionAddress::Linked { section: ADDRESS }).expect("a section").bytes;
    assert!(bytes.len() > 5_000_000, "{}", bytes.len());
    Made { bytes, code: (CODE, at - CODE) }
}

/// Size and rows of a function: leaves, functions with a frame pointer, with frames of various
/// sizes, with saved registers.
fn function(index: u64) -> (u32, Vec<RowSpec>) {
    let various = u32::try_from(index * 7919 % 61).expect("few");
    let size = 40 + various * if index.is_multiple_of(9) { 40 } else { 3 };
    let sp = |start: u32, cfa: u32| RowSpec::offsets(start, Base::Sp, &[cfa.cast_signed()]);
    let with_fp = |start: u32, base: Base, cfa: u32, fp: i32| RowSpec::offsets(start, base, &[cfa.cast_signed(), fp]);
    let rows = match index % 5 {
        0 => vec![sp(0, 8)],
        1 | 4 => vec![
            sp(0, 8),
            with_fp(1, Base::Sp, 16, -16),
            with_fp(4, Base::Fp, 16, -16),
            with_fp(size - 1, Base::Sp, 8, -16),
        ],
        2 => vec![sp(0, 8), sp(4, 16 + 8 * various), sp(size - 1, 8)],
        _ => vec![
            sp(0, 8),
            sp(2, 16),
            with_fp(3, Base::Sp, 24, -24),
            with_fp(4, Base::Sp, 32, -24),
            with_fp(8, Base::Sp, 48 + 8 * various, -24),
            with_fp(size - 5, Base::Sp, 32, -24),
            with_fp(size - 4, Base::Sp, 24, -24),
            with_fp(size - 3, Base::Sp, 16, -24),
            with_fp(size - 1, Base::Sp, 8, -24),
        ],
    };
    (size, rows)
}
