//! Conditions of clauses: facts of a section or file on which readers decide.

use sframe::{Format, Header};
use types::ByteOrder;

use super::facts::{Facts, FileFacts, FunctionFacts, Subject};
use super::table_reader::TableReader;

/// Makes [`Condition`] of a line for each: variant, key and meaning.
macro_rules! conditions {
    ($($name:ident = $key:literal, $text:literal;)*) => {
        /// A condition of a clause.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Condition {
            $(#[doc = $text] $name,)*
        }

        impl Condition {
            pub const ALL: &[Condition] = &[$(Condition::$name),*];

            /// Its key in `readers.yaml`.
            pub fn key(self) -> &'static str {
                match self { $(Condition::$name => $key,)* }
            }

            /// What holds, as text.
            pub fn text(self) -> &'static str {
                match self { $(Condition::$name => $text,)* }
            }
        }
    };
}

conditions! {
    NoReader = "no-reader", "it has no reader of .sframe";
    OtherAbi = "other-abi", "the file is of another architecture";
    OtherOrder = "other-order", "the byte order is not that of the architecture";
    NotLinked = "not-linked", "an object file: nothing loads it";
    NoSegment = "no-segment", "no PT_GNU_SFRAME segment describes the section";
    Library = "library", "a shared library: only a dynamic linker could register its table";
    NotKernel = "not-kernel", "neither a kernel nor a module of one";
    OtherVersion = "other-version", "another version of SFrame";
    FirstVersion = "first-version", "version 1, whose function descriptors have 17 bytes";
    OtherFlags = "other-flags", "a flag that it does not know is set";
    FramePointer = "frame-pointer", "the flag FRAME_POINTER is set";
    Unsorted = "unsorted", "the flag SORTED is clear";
    UnsortedImage = "unsorted-image", "the flag SORTED is clear in a linked file";
    UnsortedClaim = "unsorted-claim", "the flag SORTED is set, but the functions are not sorted";
    SectionStarts = "section-starts", "the flag PCREL is clear: starts count from the section";
    AuxiliaryHeader = "auxiliary-header", "an auxiliary header";
    RowsFirst = "rows-first", "the rows precede the function descriptors";
    RowsOverlap = "rows-overlap", "the rows begin before the end of the function descriptors";
    DescriptorsApart = "descriptors-apart", "the function descriptors do not follow the header";
    RowsApart = "rows-apart", "a gap between function descriptors and rows";
    NoFunctions = "no-functions", "no function descriptors";
    NoRows = "no-rows", "no rows";
    ForeignAuxiliary = "foreign-auxiliary", "an auxiliary header, in another byte order than the machine's";
    ForeignCount = "foreign-count", "the header has a wrong number of rows, in another byte order than the machine's";
    ForeignBytes = "foreign-bytes", "bytes after the last row, in another byte order than the machine's";
    ForeignData = "foreign-data", "data after the last row, in another byte order than the machine's";
    FixedRa = "fixed-ra", "a fixed offset of the return address, which the architecture does not have";
    OutsideText = "outside-text", "the function begins outside of the executable segment";
    SameStart = "same-start", "another function begins at the same address";
    Inner = "inner", "another function is inside it";
    Far = "far", "the function is more than 2 GiB from the section";
    Unordered = "unordered", "a row does not begin after the one before";
    LateRow = "late-row", "a row begins after the end of the function";
    Blocks = "blocks", "several rows that repeat in blocks (PCMASK)";
    SeveralBlocks = "several-blocks", "several rows that repeat in several blocks (PCMASK)";
    BlockPhase = "block-phase", "rows that repeat in blocks (PCMASK), not aligned after the section";
    Outermost = "outermost", "a row without words: the frame is outermost";
    FixedFpWord = "fixed-fp-word", "a word for the frame pointer beside its fixed offset";
    FixedFpAlone = "fixed-fp-alone", "the frame pointer has a fixed offset";
    LonePadding = "lone-padding", "a flexible row with padding, and no frame pointer after it";
    Filler = "filler", "a flexible row with padding before the words of the frame pointer";
    RaAtCfa = "ra-at-cfa", "the return address is at CFA+0";
    HighRegister = "high-register", "a register from 16 on in a control word of one byte";
}

pub(super) enum Holds {
    No,
    /// For the whole file.
    Whole,
    /// For these functions, by their index.
    Functions(Vec<usize>),
}

/// Decides where a condition holds. Conditions of functions hold nowhere in a malformed section.
pub(super) fn holds(
    when: Condition,
    reader: &TableReader,
    header: &Header,
    subject: &Subject<'_>,
    facts: Option<&Facts>,
) -> Holds {
    let file = |test: fn(&FileFacts) -> bool| subject.file.as_ref().is_some_and(test);
    let section = |test: fn(&Facts) -> bool| facts.is_some_and(test);
    let is_foreign = header.order != HOST;
    let abi = header.abi().map(types::Abi::facts);
    let whole = match when {
        Condition::NoReader => true,
        Condition::OtherAbi => header.abi().is_none_or(|abi| !reader.reads_abi(abi)),
        Condition::OtherOrder => abi.is_some_and(|abi| abi.order != header.order),
        Condition::NotLinked => file(|file| file.is_object),
        Condition::NoSegment => file(|file| !file.has_segment && !file.is_object),
        Condition::Library => file(|file| file.is_library),
        Condition::NotKernel => file(|file| !file.is_kernel),
        Condition::OtherVersion => !reader.versions.contains(&header.format.byte()),
        Condition::FirstVersion => header.format == Format::V1,
        Condition::OtherFlags => header.flags.0 & !reader.known_flags() != 0,
        Condition::FramePointer => header.flags.frame_pointer(),
        Condition::Unsorted => !header.flags.sorted(),
        Condition::UnsortedImage => !header.flags.sorted() && file(|file| !file.is_object),
        Condition::UnsortedClaim => header.flags.sorted() && section(|facts| !facts.is_sorted),
        Condition::SectionStarts => !header.flags.pcrel(),
        Condition::AuxiliaryHeader => header.aux_len != 0,
        Condition::RowsFirst => header.fdeoff > header.freoff,
        Condition::RowsOverlap => header.fres_at() < header.fdes_end(),
        Condition::DescriptorsApart => header.fdeoff != 0,
        Condition::RowsApart => header.fres_at() != header.fdes_end(),
        Condition::NoFunctions => header.num_fdes == 0,
        Condition::NoRows => header.num_fres == 0,
        Condition::ForeignAuxiliary => is_foreign && header.aux_len != 0,
        Condition::ForeignCount => is_foreign && section(|facts| facts.counts_differ),
        Condition::ForeignBytes => is_foreign && section(|facts| facts.unread.bytes),
        Condition::ForeignData => is_foreign && section(|facts| facts.unread.data),
        Condition::FixedRa => header.fixed_ra != 0 && abi.is_some_and(|abi| abi.fixed_ra.is_none()),
        Condition::OutsideText
        | Condition::SameStart
        | Condition::Inner
        | Condition::Far
        | Condition::Unordered
        | Condition::LateRow
        | Condition::Blocks
        | Condition::SeveralBlocks
        | Condition::BlockPhase
        | Condition::Outermost
        | Condition::FixedFpWord
        | Condition::FixedFpAlone
        | Condition::LonePadding
        | Condition::Filler
        | Condition::RaAtCfa
        | Condition::HighRegister => return of_functions(when, header, subject, facts),
    };
    if whole { Holds::Whole } else { Holds::No }
}

fn of_functions(when: Condition, header: &Header, subject: &Subject<'_>, facts: Option<&Facts>) -> Holds {
    let Some(facts) = facts else { return Holds::No };
    let is_far = |address: u64| i32::try_from(address.wrapping_sub(subject.address).cast_signed()).is_err();
    let off_phase = |function: &FunctionFacts, block: u8| {
        let phase = function.start.checked_sub(subject.address).map(|phase| phase % u64::from(block.max(1)));
        block > 1 && phase != Some(0)
    };
    let is_so = |function: &FunctionFacts| match when {
        Condition::OutsideText => !subject.in_text(function.start),
        Condition::SameStart => function.shares_start,
        Condition::Inner => function.has_inner,
        Condition::Far => is_far(function.start) || is_far(function.end),
        Condition::Unordered => function.is_unordered,
        Condition::LateRow => function.has_late_row,
        Condition::Blocks => function.block.is_some() && function.reachable > 1,
        Condition::SeveralBlocks => {
            let is_several = |block: u8| function.end.saturating_sub(function.start) > u64::from(block);
            function.reachable > 1 && function.block.is_some_and(is_several)
        }
        Condition::BlockPhase => function.block.is_some_and(|block| off_phase(function, block)),
        Condition::Outermost => function.has_outermost,
        Condition::FixedFpWord => header.fixed_fp != 0 && function.has_fp_word,
        Condition::FixedFpAlone => header.fixed_fp != 0 && function.lacks_fp_word,
        Condition::LonePadding => function.has_lone_padding,
        Condition::Filler => function.has_filler,
        Condition::RaAtCfa => function.has_ra_at_cfa,
        Condition::HighRegister => function.has_high_register,
        _ => false,
    };
    let indices: Vec<usize> =
        facts.functions.iter().enumerate().filter(|(_, function)| is_so(function)).map(|(index, _)| index).collect();
    if indices.is_empty() { Holds::No } else { Holds::Functions(indices) }
}

/// Byte order of the machine on which readers run that accept both.
const HOST: ByteOrder = if cfg!(target_endian = "big") { ByteOrder::Big } else { ByteOrder::Little };
