//! Clauses about function descriptors, their info byte and the types that it encodes.

clauses! {
    "SFrame Function Descriptor Entries" {
        "v2e1/fde/size": Producer, V2Only,
            "A function descriptor of version 2 has 20 bytes."
                => [HeaderFdeTableFits, HeaderCanonicalLayout, FdeRowOffset] if [Functions];
        "v2e1/fde/natural-alignment": Producer, V2Only,
            "Each field of a function descriptor is at a multiple of its size."
                => [ElfSectionAlignment] if [Functions];
        "v2e1/fde/start": Producer, UpToV2,
            "The 32-bit integer at offset 0 gives the address of the function's first byte."
                => [ElfRelocationPerFunction, ElfRelocationType, ElfFunctionInCode, FdeAddressWrap, CfiRangeDiffers]
                if [Function, EhFrame];
        "v2e1/fde/start-signed": Producer, UpToV2,
            "The start field is signed: a function may lie below what its start counts from."
                => [ElfFunctionInCode, FdeAddressWrap] if [NegativeStart, Linked];
        "v2e1/fde/func-size": Producer, All,
            "An unsigned 32-bit integer (version 2: at offset 4) is the size of the function in bytes."
                => [CfiRangeDiffers, FdeOverlap, FdeEmptyFunction, ElfFunctionInCode] if [Function, EhFrame];
        "v2e1/fde/start-fre-off": Producer, UpToV2,
            "The unsigned 32-bit integer at offset 8 is the offset from the end of the function descriptors to the \
             function's first row."
                => [FdeRowOffset, FdeRowsFit, FdeSharedRows, FdeRowAreaTiled] if [Functions, Row];
        "v2e1/fde/num-fres": Producer, UpToV2,
            "The unsigned 32-bit integer at offset 12 is the number of the function's rows."
                => [HeaderRowCount, FdeRowsFit, HeaderFreLength] if [Row];
        "v2e1/fde/info": Producer, UpToV2,
            "The byte at offset 16 encodes the function's row type and PC type."
                => [FdeRowType, FdeReservedInfoBits, FdeKeyBit] if [Function];
        "v2e1/fde/rep-size": Producer, V2Only,
            "The unsigned byte at offset 17 is the size in bytes of the repeated block of a PCMASK function."
                => [FdeBlockSize, FdeBlockMultiple, FdeRowInBlock, FdeBlocksAlike] if [Pcmask];
        "v2e1/fde/rep-size-unused": Producer, FromV2,
            "The block size has a meaning for PCMASK functions only." => [FdeUnusedBlockSize] if [Function];
        "v2e1/fde/padding": Producer, V2Only,
            "The two bytes at offset 18 are padding." => [FdePadding] if [Function];
        "v2e1/fde/linked-sorted": Linker, All,
            "Linked files typically have sorted function descriptors and say so."
                => [HeaderSortedInLinked] if [Linked, Function];
        "v2e1/fde/search": Consumer, All,
            "A reader searches by bisection only if SFRAME_F_FDE_SORTED is set.";
        "v2e1/fde/unused-bits": Nobody, UpToV2,
            "Unused bits and padding of the descriptor are kept for later ABIs.";
    }
    "The SFrame FDE Info Word" {
        "v2e1/fde-info/fre-type": Producer, All,
            "Bits 0 to 3 of the info byte name the row type." => [FdeRowType, FdeRowsFit] if [Row];
        "v2e1/fde-info/pc-type": Producer, All,
            "Bit 4 of the info byte is set for PCMASK and clear for PCINC."
                => [FdeBlocksAlike, FdeRowInBlock, FdeBlockSize] if [Pcmask];
        "v2e1/fde-info/key-a": Producer, All,
            "On AArch64 bit 5 is clear where return addresses are signed with key A."
                => [RowSignedMatchesTruth, CfiKeyDiffers] if [PauthKeyA, Meaning];
        "v2e1/fde-info/key-b": Producer, All,
            "On AArch64 bit 5 is set where return addresses are signed with key B."
                => [RowSignedMatchesTruth, CfiKeyDiffers] if [PauthKeyB, Meaning];
        "v2e1/fde-info/key-unused": Producer, All,
            "On AMD64 bit 5 of the info byte is not used." => [FdeKeyBit] if [Amd64, Function];
        "v2e1/fde-info/unused-bits": Producer, UpToV2,
            "Bits 6 and 7 of the info byte are not used." => [FdeReservedInfoBits] if [Function];
    }
    "The SFrame FDE Types" {
        "v2e1/fde-type/pcinc": Producer, All,
            "Row starts of a PCINC function count bytes from the function's first."
                => [RowStartInFunction, RowCfaMatchesTruth, CfiCfaDiffers] if [Rows, Meaning];
        "v2e1/fde-type/pcmask": Producer, FromV2,
            "Row starts of a PCMASK function count bytes within its block and hold in every repetition of it."
                => [FdeRowInBlock, FdeBlocksAlike, PltRowsMatchCode, RowCfaMatchesTruth] if [PcmaskRepeats];
        "v2e1/fde-type/choice": Producer, All,
            "A function is PCMASK only if its code repeats one small pattern of instructions, such as PLT entries."
                => [FdeBlocksAlike, FdeImpliedBlock] if [PcmaskRepeats];
        "v2e1/fde-type/plt-entries": Linker, FromV2,
            "PLT entries are typical PCMASK functions: their rows follow what each entry pushes."
                => [PltRowsMatchCode, FdeBlocksAlike] if [Plt, Pcmask, Linked];
        "v2e1/fde-type/lookup-pcinc": Consumer, All,
            "In a PCINC function a reader takes the last row that starts at or before the offset of the PC in \
             the function.";
        "v2e1/fde-type/lookup-pcmask": Consumer, FromV2,
            "In a PCMASK function a reader takes the last row that starts at or before the offset of the PC \
             in its block.";
    }
    "The SFrame FRE Types" {
        "v2e1/fre-type/addr1": Producer, All,
            "Row type 0: row starts are 1 byte." => [FdeRowsFit, RowStartsAscend, FdeRowStartWraps] if [Addr1];
        "v2e1/fre-type/addr2": Producer, All,
            "Row type 1: row starts are 2 bytes." => [FdeRowsFit, RowStartsAscend, FdeRowStartWraps] if [Addr2];
        "v2e1/fre-type/addr4": Producer, All,
            "Row type 2: row starts are 4 bytes." => [FdeRowsFit, RowStartsAscend, FdeRowStartWraps] if [Addr4];
        "v2e1/fre-type/unsigned": Producer, All,
            "Row starts are unsigned."
                => [RowStartsAscend, RowStartInFunction, FdeRowStartWraps] if [HighStart];
        "v2e1/fre-type/one-per-function": Producer, All,
            "All rows of a function have the same row type." => [FdeRowsFit, HeaderFreLength] if [Rows];
        "v2e1/fre-type/unsigned-starts": Consumer, All,
            "A reader reads row starts as unsigned integers of the row type's width.";
    }
}
