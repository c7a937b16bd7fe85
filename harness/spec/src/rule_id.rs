//! The ids of the rules, each once.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use crate::catalogue::rule;
use crate::{Rule, RuleGroup};

/// Names a rule of the catalogue. Ids are published and stable: they stand in results, ledgers and reports.
macro_rules! ids {
    ($($name:ident = $text:literal,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "each variant is its rule's id, and the catalogue says what the rule is")]
        pub enum RuleId {
            $($name,)*
        }

        impl RuleId {
            /// Every id, in the order of the catalogue.
            pub const ALL: &'static [RuleId] = &[$(RuleId::$name,)*];

            /// The id as it is published: `row/cfa-matches-truth`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(RuleId::$name => $text,)*
                }
            }
        }
    };
}

ids! {
    HeaderSize = "header/size",
    HeaderMagic = "header/magic",
    HeaderByteOrder = "header/byte-order",
    HeaderVersion = "header/version",
    HeaderObsoleteVersion = "header/obsolete-version",
    HeaderReservedFlags = "header/reserved-flags",
    HeaderRemovedFlag = "header/removed-flag",
    HeaderFramePointerFlag = "header/frame-pointer-flag",
    HeaderAbi = "header/abi",
    HeaderAbiByteOrder = "header/abi-byte-order",
    HeaderAbiMachine = "header/abi-machine",
    HeaderFixedRaAmd64 = "header/fixed-ra-amd64",
    HeaderFixedRa = "header/fixed-ra",
    HeaderFixedFp = "header/fixed-fp",
    HeaderAuxiliaryFits = "header/auxiliary-fits",
    HeaderFdeTableFits = "header/fde-table-fits",
    HeaderFreAreaFits = "header/fre-area-fits",
    HeaderTablesOverlap = "header/tables-overlap",
    HeaderAuxiliary = "header/auxiliary",
    HeaderCanonicalLayout = "header/canonical-layout",
    HeaderRowCount = "header/row-count",
    HeaderFreLength = "header/fre-length",
    HeaderTrailingBytes = "header/trailing-bytes",
    HeaderSecondElement = "header/second-element",
    HeaderExcessPadding = "header/excess-padding",
    HeaderNoFunctions = "header/no-functions",
    HeaderRowsWithoutFunctions = "header/rows-without-functions",
    HeaderEmptySection = "header/empty-section",
    HeaderSortedInLinked = "header/sorted-in-linked",
    HeaderSortedInObject = "header/sorted-in-object",
    HeaderPcrelClear = "header/pcrel-clear",
    HeaderPcrelClearV2 = "header/pcrel-clear-v2",
    FdePadding = "fde/padding",
    FdeRowOffset = "fde/row-offset",
    FdeAttributesFit = "fde/attributes-fit",
    FdeRowsFit = "fde/rows-fit",
    FdeRowType = "fde/row-type",
    FdeReservedInfoBits = "fde/reserved-info-bits",
    FdeKeyBit = "fde/key-bit",
    FdeReservedInfo2Bits = "fde/reserved-info2-bits",
    FdeType = "fde/type",
    FdeBlockSize = "fde/block-size",
    FdeUnusedBlockSize = "fde/unused-block-size",
    FdeBlockMultiple = "fde/block-multiple",
    FdeRowInBlock = "fde/row-in-block",
    FdeImpliedBlock = "fde/implied-block",
    FdeEmptyFunction = "fde/empty-function",
    FdeAddressWrap = "fde/address-wrap",
    FdeOverlap = "fde/overlap",
    FdeDuplicateStart = "fde/duplicate-start",
    FdeSortedClaim = "fde/sorted-claim",
    FdeSharedRows = "fde/shared-rows",
    FdeRowAreaTiled = "fde/row-area-tiled",
    FdeRowStartWraps = "fde/row-start-wraps",
    FdeRowTypeMinimal = "fde/row-type-minimal",
    FdeAddressBase = "fde/address-base",
    FdeBlocksAlike = "fde/blocks-alike",
    FdeNoRows = "fde/no-rows",
    RowFirstStart = "row/first-start",
    RowStartsAscend = "row/starts-ascend",
    RowStartInFunction = "row/start-in-function",
    RowUnreachable = "row/unreachable",
    RowWordSize = "row/word-size",
    RowWordCount = "row/word-count",
    RowOutermostBeforeErrata2 = "row/outermost-before-errata-2",
    RowOutermostInfo = "row/outermost-info",
    RowSignedBit = "row/signed-bit",
    RowTwoWords = "row/two-words",
    RowWordSizeMinimal = "row/word-size-minimal",
    RowRepeats = "row/repeats",
    RowEntryCfa = "row/entry-cfa",
    RowCfaPlausible = "row/cfa-plausible",
    RowSlotAlignment = "row/slot-alignment",
    RowSameSlot = "row/same-slot",
    RowFpOnRaSlot = "row/fp-on-ra-slot",
    RowSlotAboveCfa = "row/slot-above-cfa",
    RowRegisterWord = "row/register-word",
    RowEvenWordAlignment = "row/even-word-alignment",
    RowOddWord = "row/odd-word",
    RowTrailingFiller = "row/trailing-filler",
    RowCallWithoutSavedRa = "row/call-without-saved-ra",
    RowCfaOffsetRange = "row/cfa-offset-range",
    FlexAbi = "flex/abi",
    FlexWordCount = "flex/word-count",
    FlexCfaRegister = "flex/cfa-register",
    FlexControlBit2 = "flex/control-bit-2",
    FlexRegisterWithoutBase = "flex/register-without-base",
    FlexRegister = "flex/register",
    FlexPairs = "flex/pairs",
    FlexTrailingFiller = "flex/trailing-filler",
    FlexCfaScaled = "flex/cfa-scaled",
    FlexBaseBit = "flex/base-bit",
    FlexNeedless = "flex/needless",
    FlexTopmostOnly = "flex/topmost-only",
    FlexValueWithoutLoad = "flex/value-without-load",
    ElfFunctionInCode = "elf/function-in-code",
    ElfSectionType = "elf/section-type",
    ElfSectionFlags = "elf/section-flags",
    ElfSectionAlignment = "elf/section-alignment",
    ElfOneSectionLinked = "elf/one-section-linked",
    ElfOneSectionObject = "elf/one-section-object",
    ElfSegment = "elf/segment",
    ElfSegmentCovers = "elf/segment-covers",
    ElfSegmentSize = "elf/segment-size",
    ElfSegmentOfEmpty = "elf/segment-of-empty",
    ElfRelocationPerFunction = "elf/relocation-per-function",
    ElfRelocationType = "elf/relocation-type",
    ElfStrayRelocation = "elf/stray-relocation",
    ElfRelocationTarget = "elf/relocation-target",
    ElfStartFieldNotZero = "elf/start-field-not-zero",
    ElfComdatReference = "elf/comdat-reference",
    ElfDiscardedCode = "elf/discarded-code",
    PltCovered = "plt/covered",
    PltRowsMatchCode = "plt/rows-match-code",
    ElfEmittedRelocations = "elf/emitted-relocations",
    RowCfaMatchesTruth = "row/cfa-matches-truth",
    RowRaMatchesTruth = "row/ra-matches-truth",
    RowFpMatchesTruth = "row/fp-matches-truth",
    RowSignedMatchesTruth = "row/signed-matches-truth",
    RowMissing = "row/missing",
    RowOutermost = "row/outermost",
    RowReadsDeadStack = "row/reads-dead-stack",
    ChainMatchesTruth = "chain/matches-truth",
    ChainStops = "chain/stops",
    CfiCfaDiffers = "cfi/cfa-differs",
    CfiRaDiffers = "cfi/ra-differs",
    CfiFpDiffers = "cfi/fp-differs",
    CfiSpDiffers = "cfi/sp-differs",
    CfiSignedDiffers = "cfi/signed-differs",
    CfiSignalDiffers = "cfi/signal-differs",
    CfiKeyDiffers = "cfi/key-differs",
    CfiRangeDiffers = "cfi/range-differs",
    CfiNoSframe = "cfi/no-sframe",
    CfiNoEhFrame = "cfi/no-eh-frame",
    CfiRefused = "cfi/refused",
    EhFrameCfaMatchesTruth = "eh-frame/cfa-matches-truth",
    EhFrameRaMatchesTruth = "eh-frame/ra-matches-truth",
    EhFrameFpMatchesTruth = "eh-frame/fp-matches-truth",
    EhFrameSpMatchesTruth = "eh-frame/sp-matches-truth",
    EhFrameSignedMatchesTruth = "eh-frame/signed-matches-truth",
    EhFrameMissing = "eh-frame/missing",
    EhFrameOutermost = "eh-frame/outermost",
    EhFrameReadsDeadStack = "eh-frame/reads-dead-stack",
    CoverageNeedless = "coverage/needless",
    CoverageSilent = "coverage/silent",
    CoverageSectionPresent = "coverage/section-present",
    BuildFails = "build/fails",
    LinkConserved = "link/conserved",
    LinkDescribedOnce = "link/described-once",
    LinkRowsUnchanged = "link/rows-unchanged",
    LinkDeadDescribed = "link/dead-described",
    LinkGcKeepsLive = "link/gc-keeps-live",
    LinkVersionsMixed = "link/versions-mixed",
    LinkHeaderAgrees = "link/header-agrees",
    LinkRelocatableUnion = "link/relocatable-union",
    LinkRelocatableThenFinal = "link/relocatable-then-final",
    LinkFoldedOnce = "link/folded-once",
    LinkStartOverflow = "link/start-overflow",
    LinkSectionKept = "link/section-kept",
    LinkInputOrder = "link/input-order",
    LinkDeterministic = "link/deterministic",
    LinkFromNothing = "link/from-nothing",
    LinkDiscarded = "link/discarded",
    LinkAccepted = "link/accepted",
    LinkBlankTable = "link/blank-table",
}

impl RuleId {
    /// The form of its name, as a regular expression.
    pub const PATTERN: &str = "^[a-z0-9-]+/[a-z0-9-]+$";

    /// What the catalogue says of the rule.
    pub fn facts(self) -> &'static Rule {
        rule(self)
    }

    /// What the rule is about.
    pub fn group(self) -> RuleGroup {
        self.facts().group
    }
}

/// By name, so that lists have an order that readers expect.
impl Ord for RuleId {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl PartialOrd for RuleId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq<&str> for RuleId {
    fn eq(&self, other: &&str) -> bool {
        self.name() == *other
    }
}

impl PartialEq<str> for RuleId {
    fn eq(&self, other: &str) -> bool {
        self.name() == other
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that is no [`RuleId`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown rule '{0}'")]
pub struct UnknownRule(pub String);

impl FromStr for RuleId {
    type Err = UnknownRule;

    fn from_str(name: &str) -> Result<Self, UnknownRule> {
        RuleId::ALL.iter().copied().find(|id| id.name() == name).ok_or_else(|| UnknownRule(name.to_owned()))
    }
}

#[cfg(feature = "serde")]
impl schemars::JsonSchema for RuleId {
    fn schema_name() -> Cow<'static, str> {
        "RuleId".into()
    }

    /// Rules may be added, so that the schema names none.
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "description": "Id of a rule; `explain` says what it means.", "type": "string", "pattern": RuleId::PATTERN })
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for RuleId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for RuleId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(serde::de::Error::custom)
    }
}
