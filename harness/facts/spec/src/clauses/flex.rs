//! Clauses about flexible functions (version 3).

clauses! {
    "Flexible FDE Type Interpretation" {
        "v3/flex/purpose": Producer, V3Only,
            "A function is flexible only if default rows cannot encode one of its rows."
                => [FlexNeedless] if [Flex];
        "v3/flex/pairs": Producer, V3Only,
            "Each value that a flex row tracks has a control word and an offset."
                => [FlexWordCount, FlexPairs] if [Flex];
        "v3/flex/cfa-first": Producer, V3Only,
            "The first two words of a flex row are the CFA's, which every row tracks."
                => [FlexCfaRegister, RowCfaMatchesTruth, CfiCfaDiffers] if [Flex, Meaning];
        "v3/flex/order": Producer, V3Only,
            "The CFA's words are followed by those of the return address, then those of FP."
                => [FlexPairs, RowRaMatchesTruth, RowFpMatchesTruth, CfiRaDiffers, CfiFpDiffers]
                if [FlexThreePairs, Meaning];
        "v3/flex/filler": Producer, V3Only,
            "Where FP has words and the return address has no rule, a single word 0 takes the place of the return address."
                => [FlexPairs, FlexTrailingFiller, RowFpMatchesTruth, CfiFpDiffers] if [FlexFiller, Meaning];
        "v3/flex/zero-is-no-rule": Producer, V3Only,
            "A control word of 0 encodes no rule: the value CFA + offset, not loaded, is not described."
                => [FlexPairs, FlexValueWithoutLoad] if [Flex];
        "v3/flex/ra-default-amd64": Producer, V3Only,
            "Where a flex row has no rule for the return address, the header's fixed offset applies."
                => [RowRaMatchesTruth, CfiRaDiffers] if [Amd64, FlexRaAbsent, Meaning];
        "v3/flex/ra-default-s390x": Producer, V3Only,
            "Where a flex row has no rule for the return address and the header fixes none, it is in its register."
                => [RowRaMatchesTruth, CfiRaDiffers] if [S390x, FlexRaAbsent, Meaning];
        "v3/flex/fp-default": Producer, V3Only,
            "Where a flex row has no rule for FP, FP is unchanged."
                => [RowFpMatchesTruth, CfiFpDiffers] if [FlexFpAbsent, Meaning];
        "v3/flex/control-unsigned": Producer, V3Only,
            "A control word is unsigned."
                => [FlexRegister, RowRaMatchesTruth, RowFpMatchesTruth, CfiRaDiffers, CfiFpDiffers, CfiCfaDiffers]
                if [HighControlWord, Meaning];
        "v3/flex/offset-signed": Producer, V3Only,
            "The offset after a control word is signed."
                => [RowCfaMatchesTruth, RowRaMatchesTruth, RowFpMatchesTruth, CfiCfaDiffers, CfiRaDiffers, CfiFpDiffers]
                if [FlexNegativeOffset, Meaning];
        "v3/flex/word-width": Producer, V3Only,
            "Control words and offsets are as wide as the row's info byte encodes."
                => [FlexWordCount, FdeRowsFit, HeaderFreLength] if [Flex];
        "v3/flex/base-register": Producer, V3Only,
            "With bit 0 of a control word set, the base is the register that it names."
                => [FlexCfaRegister, FlexRegister, RowCfaMatchesTruth, CfiCfaDiffers] if [Flex, Meaning];
        "v3/flex/base-cfa": Producer, V3Only,
            "With bit 0 of a control word clear, the base of RA's or FP's rule is the CFA."
                => [FlexRegisterWithoutBase, RowRaMatchesTruth, RowFpMatchesTruth, CfiRaDiffers, CfiFpDiffers]
                if [FlexCfaSlot, Meaning];
        "v3/flex/load": Producer, V3Only,
            "With bit 1 of a control word set, the value is loaded from base + offset."
                => [RowCfaMatchesTruth, RowFpMatchesTruth, RowRaMatchesTruth, CfiCfaDiffers, CfiFpDiffers, CfiRaDiffers]
                if [FlexCfaLoad, Meaning];
        "v3/flex/no-load": Producer, V3Only,
            "With bit 1 of a control word clear, the value is base + offset."
                => [RowCfaMatchesTruth, CfiCfaDiffers] if [FlexCfaSum, Meaning];
        "v3/flex/unused-bit": Producer, V3Only,
            "Bit 2 of a control word is not used." => [FlexControlBit2] if [Flex];
        "v3/flex/register-number": Producer, V3Only,
            "The bits of a control word from bit 3 on are a DWARF register number."
                => [FlexRegister, RowCfaMatchesTruth, CfiCfaDiffers] if [FlexOtherRegister, Meaning];
        "v3/flex/register-slot": Producer, V3Only,
            "The return address or FP may be loaded from a register plus offset."
                => [RowFpMatchesTruth, RowRaMatchesTruth, CfiFpDiffers, CfiRaDiffers]
                if [FlexRegisterSlot, Meaning];
        "v3/flex/register-value": Producer, V3Only,
            "The return address or FP may be a register plus offset."
                => [RowRaMatchesTruth, RowFpMatchesTruth, CfiRaDiffers, CfiFpDiffers]
                if [FlexRegisterValue, Meaning];
        "v3/flex/cfa-needs-register": Producer, V3Only,
            "The CFA's control word has bit 0 set: the CFA cannot count from itself."
                => [FlexCfaRegister] if [Flex];
        "v3/flex/s390x-cfa": Producer, V3Only,
            "On s390x the CFA's offset in a flex row is stored less 160 and divided by 8, as in default rows."
                => [FlexCfaScaled, RowCfaMatchesTruth, CfiCfaDiffers] if [S390x, Flex, Meaning];
        "v3/flex/read-control": Consumer, V3Only,
            "A reader reads control words as unsigned and offsets as signed.";
        "v3/flex/skip-filler": Consumer, V3Only,
            "After a single word 0 for the return address a reader reads FP's pair.";
        "v3/flex/read-fixed": Consumer, V3Only,
            "Where a flex row has no rule for a value, a reader uses the header's fixed offset, if any.";
    }
    "Generating Stack Traces using SFrame" {
        "v3/trace/apply-rule": Consumer, V3Only,
            "In a flex row a reader adds the offset to the base and loads if the control word has the dereference bit.";
        "v3/trace/topmost-registers": Consumer, V3Only,
            "Below the topmost frame a reader refuses a CFA based on another register than SP and FP.";
    }
}
