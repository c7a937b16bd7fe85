//! Clauses of the section as a whole, its preamble and its flags.

clauses! {
    "Overview" {
        "v2e1/overview/loaded": Producer, All,
            "The stack trace information is in a section that is loaded with the program."
                => [ElfSectionFlags];
        "v2e1/overview/segment": Linker, All,
            "In a linked file a segment of type PT_GNU_SFRAME holds the section."
                => [ElfSegment, ElfSegmentCovers, ElfSegmentSize, ElfOneSegment] if [Linked, Function];
        "v2e1/overview/name": Producer, All, "The section is called .sframe.";
        "v2e1/overview/section-type": Producer, FromErrata1,
            "The ELF section has the type SHT_GNU_SFRAME." => [ElfSectionType];
        "v2e1/overview/packed": Producer, All,
            "Structures are packed: neither their fields nor the entries of a sub-section have bytes between them."
                => [HeaderFreLength, FdeRowAreaTiled, FdeRowsFit] if [Functions, Rows];
        "v2e1/overview/natural-boundaries": Producer, All,
            "The fields of the header and of version 2's function descriptors are at multiples of their own size."
                => [ElfSectionAlignment] if [Function];
        "v2e1/overview/supported-abis": Nobody, All,
            "The format serves AMD64, AAPCS64 and s390x; other ABIs have no meaning in it yet.";
        "v2e1/overview/byte-units": Nobody, All, "Addresses and offsets count bytes.";
    }
    "Changes from Version 1 to Version 2" {
        "v2e1/changes/v1-obsolete": Producer, FromV2,
            "Version 1 is no longer written." => [HeaderVersion, HeaderObsoleteVersion];
        "v2e1/changes/v1-descriptor-size": Producer, V1Only,
            "A function descriptor of version 1 has 17 bytes."
                => [HeaderFdeTableFits, HeaderCanonicalLayout, FdeRowOffset] if [Functions];
        "v2e1/changes/v1-no-block-size": Producer, V1Only,
            "A function descriptor of version 1 has no field for the size of a repeated block."
                => [FdeImpliedBlock] if [Pcmask];
        "v2e1/changes/pcrel-added": Producer, FromErrata1,
            "Flag SFRAME_F_FDE_FUNC_START_PCREL exists from version 2, errata 1, on."
                => [HeaderReservedFlags, HeaderPcrelClearV2] if [Pcrel];
        "v2e1/changes/s390x-added": Producer, FromErrata1,
            "The ABI identifier of s390x exists from version 2, errata 1, on." => [HeaderAbi] if [S390x];
    }
    "SFrame Section" {
        "v2e1/section/parts": Producer, All,
            "The section is one header, then the function descriptors, then the rows."
                => [HeaderSize, HeaderFdeTableFits, HeaderFreAreaFits, HeaderSecondElement] if [Row];
    }
    "SFrame Preamble" {
        "v2e1/preamble/layout": Producer, All,
            "The section begins with four bytes: magic (2), version (1), flags (1)."
                => [HeaderSize, HeaderMagic, HeaderVersion, HeaderReservedFlags];
        "v2e1/preamble/natural-alignment": Producer, All,
            "Each field of the preamble is at a multiple of its size." => [ElfSectionAlignment];
        "v2e1/preamble/magic": Producer, All,
            "The unsigned 16-bit integer at offset 0 is 0xDEE2." => [HeaderMagic];
        "v2e1/preamble/version": Producer, All,
            "The byte at offset 2 is the version of the section." => [HeaderVersion];
        "v2e1/preamble/flags": Producer, All,
            "The byte at offset 3 holds the flags of the section as a whole."
                => [HeaderReservedFlags];
        "v2e1/preamble/unknown-version": Consumer, All,
            "Of an unknown version a reader reads only the preamble, the one part that \
             no version changes.";
    }
    "SFrame Magic Number and Endianness" {
        "v2e1/endianness/little": Producer, All,
            "For a little-endian target every integer of the section is little-endian."
                => [HeaderByteOrder, HeaderAbiByteOrder] if [LittleEndian, Function];
        "v2e1/endianness/big": Producer, All,
            "For a big-endian target every integer of the section is big-endian."
                => [HeaderByteOrder, HeaderAbiByteOrder] if [BigEndian, Function];
        "v2e1/endianness/detect-foreign": Consumer, All,
            "A reader recognises a section of the other byte order by its magic.";
        "v2e1/endianness/flip": Consumer, All,
            "A reader that offers to read sections of the other byte order gives the same rows for them.";
    }
    "SFrame Version" {
        "v2e1/version/values": Producer, UpToV2, "The version byte is 1 or 2." => [HeaderVersion];
        "v2e1/version/by-field": Consumer, All,
            "A reader decides by the version byte how it reads what follows.";
    }
    "SFrame Flags" {
        "v2e1/flags/sorted": Linker, All,
            "With flag 0x1 set, function descriptors ascend by the addresses of their functions."
                => [FdeSortedClaim] if [Sorted];
        "v2e1/flags/frame-pointer": Producer, UpToV2,
            "Flag 0x2 is set only where every function of the file keeps a frame pointer."
                => [HeaderFramePointerFlag] if [FramePointerFlag];
        "v2e1/flags/frame-pointer-fallback": Consumer, UpToV2,
            "With flag 0x2 set, a reader may follow frame pointers through functions that the section does \
             not describe.";
        "v2e1/flags/pcrel-set": Linker, FromErrata1,
            "With flag 0x4 set, a function's start is relative to its field."
                => [FdeAddressBase, ElfFunctionInCode, ElfDiscardedCode] if [Pcrel, Linked];
        "v2e1/flags/pcrel-set-object": Producer, FromErrata1,
            "With flag 0x4 set in an object file, the relocation of a start field makes it count from itself."
                => [ElfRelocationType, ElfRelocationTarget, CfiRangeDiffers] if [Pcrel, Object];
        "v2e1/flags/pcrel-clear": Linker, FromV2,
            "With flag 0x4 clear, a function's start counts from the first byte of the section."
                => [FdeAddressBase, ElfFunctionInCode, HeaderPcrelClear, HeaderPcrelClearV2]
                if [PcrelClear, Linked];
        "v2e1/flags/start-base": Consumer, FromV2,
            "A reader takes the base of function starts from flag 0x4.";
        "v2e1/flags/undefined-zero": Producer, All,
            "Flag bits without a definition are zero." => [HeaderReservedFlags];
    }
}
