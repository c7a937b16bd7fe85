//! SFrame versions as producers and tests name them, with the features of each.

use crate::elf;
use crate::named;

named! {
    /// A version of the SFrame format, oldest first. Errata share the version byte: a section is
    /// errata 1 where it has the PCREL flag or the s390x ABI byte. Errata 2 (RA undefined) leaves
    /// no mark in the header, so it has no variant.
    pub enum SframeVersion {
        /// Version 1 (2022), 17-byte function descriptors.
        V1 = "v1",
        /// Version 2 (2023), 20-byte function descriptors.
        V2 = "v2",
        /// Version 2 errata 1 (2025): PCREL flag, s390x.
        V2Errata1 = "v2e1",
        /// Version 3 (2026): index and attributes, flexible function descriptors.
        V3 = "v3",
    }
}

use SframeVersion::{V1, V2, V2Errata1, V3};

impl SframeVersion {
    /// The newest version; assumed if a file has no table.
    pub const LATEST: SframeVersion = Self::ALL[Self::ALL.len() - 1];

    /// Parses a version from its [`Self::name`].
    pub fn named(name: &str) -> Option<SframeVersion> {
        Self::ALL.into_iter().find(|version| version.name() == name)
    }

    /// The version byte, `sfp_version` ("SFrame Preamble").
    pub const fn number(self) -> u8 {
        match self {
            V1 => 1,
            V2 | V2Errata1 => 2,
            V3 => 3,
        }
    }

    /// Name in the style of the specification: `SFrame V2 errata 1`.
    pub const fn text(self) -> &'static str {
        match self {
            V1 => "SFrame V1",
            V2 => "SFrame V2",
            V2Errata1 => "SFrame V2 errata 1",
            V3 => "SFrame V3",
        }
    }

    /// Returns true if implementations no longer read the version: binutils refuses V1 from 2.46
    /// on.
    pub const fn is_obsolete(self) -> bool {
        match self {
            V1 => true,
            V2 | V2Errata1 | V3 => false,
        }
    }

    /// Returns true if the version has the flag SFRAME_F_FDE_FUNC_START_PCREL (SFrame V2 errata 1,
    /// "SFrame Flags").
    pub const fn has_pcrel_flag(self) -> bool {
        match self {
            V1 | V2 => false,
            V2Errata1 | V3 => true,
        }
    }

    /// Returns true if the version has the flag SFRAME_F_FRAME_POINTER, which V3 removed (SFrame
    /// V3, "SFrame Flags").
    pub const fn has_frame_pointer_flag(self) -> bool {
        match self {
            V1 | V2 | V2Errata1 => true,
            V3 => false,
        }
    }

    /// `sh_type` that producers of the version give the section (SFrame V2 errata 1, "Overview":
    /// SHT_GNU_SFRAME).
    pub const fn section_type(self) -> u32 {
        match self {
            V1 | V2 => elf::SHT_PROGBITS,
            V2Errata1 | V3 => elf::SHT_GNU_SFRAME,
        }
    }

    /// Size in bytes of a function's start field: 4, or 8 from V3 on ("SFrame Function Descriptor
    /// Entries").
    pub const fn start_width(self) -> u8 {
        match self {
            V1 | V2 | V2Errata1 => 4,
            V3 => 8,
        }
    }

    /// Returns true if a field gives a function's size of repeating blocks (SFrame V2, "SFrame
    /// Function Descriptor Entries"); V1 implies 16.
    pub const fn has_block_size(self) -> bool {
        match self {
            V1 => false,
            V2 | V2Errata1 | V3 => true,
        }
    }

    /// Returns true if a function's attributes precede its rows, in a separate block (SFrame V3,
    /// "SFrame Function Descriptor Entries"); earlier versions have them in the descriptor.
    pub const fn has_attribute_block(self) -> bool {
        match self {
            V1 | V2 | V2Errata1 => false,
            V3 => true,
        }
    }

    /// Returns true if bit 7 of a function's info byte marks a signal frame (SFrame V3, "The SFrame
    /// FDE Info Word").
    pub const fn has_signal_bit(self) -> bool {
        match self {
            V1 | V2 | V2Errata1 => false,
            V3 => true,
        }
    }

    /// Returns true if the version has flexible function descriptors (SFrame V3, "Flexible FDE"),
    /// for the ABIs that define them: [`Abi::has_flex`](crate::Abi::has_flex).
    pub const fn has_flex(self) -> bool {
        match self {
            V1 | V2 | V2Errata1 => false,
            V3 => true,
        }
    }

    /// Returns true if a row without words marks the return address as undefined (SFrame V3, "The
    /// SFrame FRE Info Word"). V2 has this from errata 2 on, which no released assembler writes as
    /// V2.
    pub const fn can_say_outermost(self) -> bool {
        match self {
            V1 | V2 | V2Errata1 => false,
            V3 => true,
        }
    }

    /// Returns true if bit 7 of a row's info byte marks a signed return address, where the ABI has
    /// [`AbiFacts::pointer_authentication`](crate::AbiFacts::pointer_authentication) ("The SFrame
    /// FRE Info Word").
    pub const fn has_signed_row_bit(self) -> bool {
        match self {
            V1 | V2 | V2Errata1 | V3 => true,
        }
    }

    /// Returns true if odd words name registers, where the ABI has
    /// [`AbiFacts::register_words`](crate::AbiFacts::register_words) (SFrame V2 errata 1, "s390x";
    /// retired in V3).
    pub const fn has_register_words(self) -> bool {
        match self {
            V1 | V2 | V2Errata1 => true,
            V3 => false,
        }
    }
}
