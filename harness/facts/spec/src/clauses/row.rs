//! Clauses of rows and of their info byte.

clauses! {
    "SFrame Frame Row Entries" {
        "v2e1/fre/range": Producer, All,
            "A row covers contiguous addresses, from its start up to the next row."
                => [RowStartsAscend, RowFirstStart, RowMissing, RowCfaMatchesTruth, CfiCfaDiffers]
                if [Rows, Meaning];
        "v2e1/fre/self-sufficient": Producer, All,
            "A row alone has all that is known of its addresses; nothing carries over from another."
                => [RowCfaMatchesTruth, RowRaMatchesTruth, RowFpMatchesTruth, CfiCfaDiffers, CfiRaDiffers, CfiFpDiffers]
                if [Rows, Meaning];
        "v2e1/fre/recovers": Producer, All,
            "By its row the CFA, FP and the return address of each address can be found, as far as the ABI \
             needs a row for them."
                => [RowCfaMatchesTruth, RowRaMatchesTruth, RowFpMatchesTruth, CfiCfaDiffers, CfiRaDiffers, CfiFpDiffers, RowSameSlot]
                if [Row, Meaning];
        "v2e1/fre/trailing-words": Producer, All,
            "The fixed part of a row is followed by words, of the number and size in its info byte."
                => [FdeRowsFit, HeaderFreLength, FdeRowAreaTiled] if [Row];
        "v2e1/fre/layout": Producer, All,
            "The fixed part of a row is its start and one info byte."
                => [FdeRowsFit, HeaderFreLength, RowWordSize] if [Row];
        "v2e1/fre/start": Producer, All,
            "A row's start is the offset in bytes, from the function's first, of the first address that it covers."
                => [RowStartInFunction, RowStartsAscend, RowCfaMatchesTruth, CfiCfaDiffers] if [Rows, Meaning];
        "v2e1/fre/unaligned": Producer, All,
            "Rows follow each other without padding, at any address."
                => [HeaderFreLength, FdeRowAreaTiled, FdeRowsFit] if [Rows];
        "v2e1/fre/unaligned-access": Consumer, All,
            "A reader reads rows at any address, aligned or not.";
        "v2e1/fre/other-uses": Nobody, All,
            "Later ABIs may give the words of a row another meaning than that of stack offsets.";
        "v2e1/fre/further-types": Nobody, All, "Further row types may be added.";
    }
    "The SFrame FRE Info Word" {
        "v2e1/fre-info/base-sp": Producer, All,
            "Bit 0 of a row's info byte is set where the CFA counts from SP."
                => [RowCfaMatchesTruth, CfiCfaDiffers, RowCfaPlausible] if [CfaFromSp, Meaning];
        "v2e1/fre-info/base-fp": Producer, All,
            "Bit 0 of a row's info byte is clear where the CFA counts from FP."
                => [RowCfaMatchesTruth, CfiCfaDiffers] if [CfaFromFp, Meaning];
        "v2e1/fre-info/word-count": Producer, All,
            "Bits 1 to 4 are the number of words." => [RowWordCount, FlexWordCount, FdeRowsFit] if [Row];
        "v2e1/fre-info/word-size": Producer, All,
            "Bits 5 and 6 are the size code of all words of the row, one of 0, 1 and 2."
                => [RowWordSize] if [Row];
        "v2e1/fre-info/word-1": Producer, All,
            "Size code 0: words of 1 byte."
                => [RowWordSize, FdeRowsFit, RowCfaMatchesTruth, CfiCfaDiffers] if [Word1, Meaning];
        "v2e1/fre-info/word-2": Producer, All,
            "Size code 1: words of 2 bytes."
                => [RowWordSize, FdeRowsFit, RowCfaMatchesTruth, CfiCfaDiffers] if [Word2, Meaning];
        "v2e1/fre-info/word-4": Producer, All,
            "Size code 2: words of 4 bytes."
                => [RowWordSize, FdeRowsFit, RowCfaMatchesTruth, CfiCfaDiffers] if [Word4, Meaning];
        "v2e1/fre-info/mangled-ra": Producer, All,
            "Bit 7 is set where the return address that the row finds carries an authentication code."
                => [RowSignedMatchesTruth, CfiSignedDiffers] if [Aarch64, SignedRa, Meaning];
        "v2e1/fre-info/plain-ra": Producer, All,
            "Bit 7 is clear where the return address that the row finds is plain."
                => [RowSignedBit, RowSignedMatchesTruth, CfiSignedDiffers] if [Row, Meaning];
        "v2e1/fre-info/strip-code": Consumer, All,
            "A reader strips or authenticates a return address that a row marks signed before it looks it up.";
        "v2e1/fre-info/typical-count": Nobody, All,
            "Three words are enough for most ABIs; the field holds up to 15.";
        "v2e2/fre-info/no-words": Producer, FromV2,
            "From errata 2 on a row without words means that the return address is undefined."
                => [RowOutermost, RowOutermostInfo, RowOutermostBeforeErrata2, CfiRaDiffers] if [Outermost];
        "v2e2/fre-info/end-of-trace": Consumer, FromV2,
            "A reader may take a row without words as the end of the stack trace, which is complete.";
    }
}
