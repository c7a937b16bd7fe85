//! Clauses of the header.

clauses! {
    "SFrame Header" {
        "v2e1/header/first": Producer, All,
            "The header opens the section, and the preamble opens the header." => [HeaderMagic, HeaderSize];
        "v2e1/header/size": Producer, All,
            "The header has 28 bytes." => [HeaderSize, HeaderCanonicalLayout] if [Function];
        "v2e1/header/natural-alignment": Producer, All,
            "Each field of the header is at a multiple of its size." => [ElfSectionAlignment];
        "v2e1/header/tiling": Producer, All,
            "The two sub-sections fill the section: the first reaches to where the second begins, the second to \
             where its length ends it."
                => [HeaderTablesOverlap, HeaderCanonicalLayout, HeaderTrailingBytes, FdeRowAreaTiled] if [Row];
        "v2e1/header/abi-arch": Producer, All,
            "The unsigned byte at offset 4 identifies the ABI." => [HeaderAbi, HeaderAbiMachine];
        "v2e1/header/fixed-fp": Producer, All,
            "The signed byte at offset 5 is the offset from the CFA at which FP always is, or 0."
                => [HeaderFixedFp];
        "v2e1/header/fixed-ra": Producer, All,
            "The signed byte at offset 6 is the offset from the CFA at which the return address always is, or 0."
                => [HeaderFixedRaAmd64, HeaderFixedRa];
        "v2e1/header/auxiliary-length": Producer, All,
            "The unsigned byte at offset 7 is the size of the auxiliary header after the header, or 0."
                => [HeaderAuxiliary, HeaderAuxiliaryFits, HeaderFdeTableFits] if [Function];
        "v2e1/header/num-fdes": Producer, All,
            "The unsigned 32-bit integer at offset 8 is the number of function descriptors."
                => [HeaderFdeTableFits, HeaderCanonicalLayout, ElfRelocationPerFunction] if [Function];
        "v2e1/header/num-fres": Producer, All,
            "The unsigned 32-bit integer at offset 12 is the number of rows of all functions together."
                => [HeaderRowCount, HeaderRowsWithoutFunctions] if [Row];
        "v2e1/header/fre-length": Producer, UpToV2,
            "The unsigned 32-bit integer at offset 16 is the size of the row sub-section: of all rows together."
                => [HeaderFreLength, HeaderFreAreaFits] if [Row];
        "v2e1/header/fdeoff": Producer, All,
            "The unsigned 32-bit integer at offset 20 is the offset from the header's end to the first function descriptor."
                => [HeaderFdeTableFits, HeaderCanonicalLayout, ElfRelocationPerFunction] if [Function];
        "v2e1/header/freoff": Producer, All,
            "The unsigned 32-bit integer at offset 24 is the offset from the header's end to the first byte of the row \
             sub-section."
                => [HeaderFreAreaFits, HeaderTablesOverlap, HeaderCanonicalLayout] if [Row];
        "v2e1/header/descriptor-array": Producer, All,
            "The function descriptors are an array of elements of one size."
                => [HeaderFdeTableFits, FdeRowOffset, ElfRelocationPerFunction] if [Functions];
        "v2e1/header/row-elements": Producer, All,
            "The rows are elements of variable size, each as long as its own info byte encodes."
                => [FdeRowsFit, HeaderFreLength] if [Rows];
        "v2e1/header/offsets": Consumer, All,
            "A reader finds both sub-sections by their offsets, also where a gap precedes one of them.";
        "v2e1/header/auxiliary": Consumer, All,
            "A reader takes both offsets from the end of the auxiliary header, if there is one.";
        "v2e1/header/fixed-offsets": Consumer, All,
            "A reader takes the fixed offsets of the return address and FP from the header.";
        "v2e1/header/auxiliary-contents": Nobody, All,
            "The contents of an auxiliary header are left to the ABIs, and none defines one yet.";
    }
    "SFrame ABI/arch Identifier" {
        "v2e1/abi/aarch64-big": Producer, All,
            "Big-endian AArch64 has the identifier 1."
                => [HeaderAbi, HeaderAbiByteOrder, HeaderAbiMachine] if [Aarch64, BigEndian];
        "v2e1/abi/aarch64-little": Producer, All,
            "Little-endian AArch64 has the identifier 2."
                => [HeaderAbi, HeaderAbiByteOrder, HeaderAbiMachine] if [Aarch64, LittleEndian];
        "v2e1/abi/amd64-little": Producer, All,
            "AMD64 has the identifier 3."
                => [HeaderAbi, HeaderAbiByteOrder, HeaderAbiMachine] if [Amd64, LittleEndian];
        "v2e1/abi/s390x-big": Producer, FromErrata1,
            "s390x has the identifier 4."
                => [HeaderAbi, HeaderAbiByteOrder, HeaderAbiMachine] if [S390x, BigEndian];
        "v2e1/abi/decisions": Nobody, All,
            "Stack tracers may decide by the identifier what is peculiar to an ABI.";
    }
}
