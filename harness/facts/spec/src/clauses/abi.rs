//! Clauses of the ABIs: what the words of default rows mean.

clauses! {
    "ABI/arch-specific Definition" {
        "v2e1/abi-specific/only-words": Nobody, All,
            "Of all the format only the words of rows depend on the ABI.";
        "v2e1/abi-specific/future": Nobody, All,
            "A new ABI must define the meaning of its words, and of an auxiliary header if any.";
    }
    "AMD64" {
        "v2e1/amd64/cfa": Producer, All,
            "On AMD64 the first word is the offset of the CFA from the base register."
                => [RowCfaMatchesTruth, CfiCfaDiffers] if [Amd64, Row, Meaning];
        "v2e1/amd64/fixed-ra": Producer, All,
            "On AMD64 the header's fixed offset is the offset of the return address from the CFA."
                => [HeaderFixedRaAmd64, RowRaMatchesTruth, CfiRaDiffers] if [Amd64, Row, Meaning];
        "v2e1/amd64/ra-not-tracked": Producer, All,
            "On AMD64 rows have no word for the return address: one word, or two."
                => [RowWordCount] if [Amd64, Row];
        "v2e1/amd64/fp": Producer, All,
            "On AMD64 the second word, if there is one, is the offset of FP's slot from the CFA."
                => [RowFpMatchesTruth, CfiFpDiffers, RowFpOnRaSlot, RowSameSlot] if [Amd64, FpSlot, Meaning];
    }
    "AArch64" {
        "v2e1/aarch64/cfa": Producer, All,
            "On AArch64 the first word is the offset of the CFA from the base register."
                => [RowCfaMatchesTruth, CfiCfaDiffers] if [Aarch64, Row, Meaning];
        "v2e1/aarch64/ra-tracked": Producer, All,
            "On AArch64 rows track the return address: the header fixes no offset for it."
                => [HeaderFixedRa] if [Aarch64];
        "v2e1/aarch64/ra": Producer, All,
            "On AArch64 the second word is the offset of the return address's slot from the CFA."
                => [RowRaMatchesTruth, CfiRaDiffers] if [Aarch64, RaSlot, Meaning];
        "v2e1/aarch64/fp": Producer, All,
            "On AArch64 the third word is the offset of FP's slot from the CFA."
                => [RowFpMatchesTruth, CfiFpDiffers, RowSameSlot] if [Aarch64, FpSlot, Meaning];
        "v2e1/aarch64/word-count": Producer, All,
            "On AArch64 a row has one word or three." => [RowWordCount, RowTwoWords] if [Aarch64, Row];
        "v2e1/aarch64/no-record": Producer, All,
            "On AArch64 a row of one word means that there is no frame record: the return address is in its register."
                => [RowRaMatchesTruth, CfiRaDiffers, RowCallWithoutSavedRa] if [Aarch64, RaUnchanged, Meaning];
    }
    "s390x" {
        "v2e1/s390x/cfa": Producer, FromErrata1,
            "On s390x the first word locates the CFA from the base register."
                => [RowCfaMatchesTruth, CfiCfaDiffers, RowCfaOffsetRange] if [S390x, Row, Meaning];
        "v2e1/s390x/cfa-scaled": Producer, FromErrata1,
            "On s390x the first word is the CFA's offset less 160, divided by 8."
                => [RowCfaMatchesTruth, CfiCfaDiffers, RowCfaOffsetRange] if [S390x, ScaledCfa, Meaning];
        "v2e1/s390x/cfa-at-call": Producer, FromErrata1,
            "On s390x the CFA is SP + 160 at the call."
                => [RowEntryCfa, RowCfaMatchesTruth, CfiCfaDiffers] if [S390x, CfaFromSp, Meaning];
        "v2e1/s390x/ra-tracked": Producer, FromErrata1,
            "On s390x rows track the return address: the header fixes no offset for it."
                => [HeaderFixedRa] if [S390x];
        "v2e1/s390x/ra": Producer, FromErrata1,
            "On s390x the second word, if neither 0 nor (version 2) odd, is the offset of the return address's \
             slot from the CFA."
                => [RowRaMatchesTruth, CfiRaDiffers, RowEvenWordAlignment] if [S390x, RaSlot, Meaning];
        "v2e1/s390x/ra-absent": Producer, FromErrata1,
            "On s390x a row without a second word means that the return address is in its register."
                => [RowRaMatchesTruth, CfiRaDiffers] if [S390x, RaUnchanged, Meaning];
        "v2e1/s390x/ra-filler": Producer, FromErrata1,
            "On s390x a second word of 0 means that the return address is in its register; FP's word may follow."
                => [RowRaMatchesTruth, CfiRaDiffers, RowTrailingFiller] if [S390x, RaFiller, Meaning];
        "v2e1/s390x/fp": Producer, FromErrata1,
            "On s390x the third word, if not (version 2) odd, is the offset of FP's slot from the CFA."
                => [RowFpMatchesTruth, CfiFpDiffers, RowEvenWordAlignment, RowSameSlot]
                if [S390x, FpSlot, Meaning];
        "v2e1/s390x/fp-absent": Producer, FromErrata1,
            "On s390x a row without a third word means that FP is unchanged."
                => [RowFpMatchesTruth, CfiFpDiffers] if [S390x, FpUnchanged, Meaning];
        "v2e1/s390x/ra-register": Producer, Errata1Only,
            "On s390x an odd second word is twice the DWARF number, plus one, of the register that holds the \
             return address."
                => [RowRaMatchesTruth, CfiRaDiffers, RowRegisterWord] if [S390x, RaRegisterWord, Meaning];
        "v2e1/s390x/fp-register": Producer, Errata1Only,
            "On s390x an odd third word is twice the DWARF number, plus one, of the register that holds FP."
                => [RowFpMatchesTruth, CfiFpDiffers, RowRegisterWord] if [S390x, FpRegisterWord, Meaning];
        "v2e1/s390x/unsaved-ra-topmost": Producer, FromErrata1,
            "On s390x the return address is unsaved in the topmost frame only: not where a function makes a call."
                => [RowCallWithoutSavedRa] if [S390x, RaUnchanged];
        "v2e1/s390x/registers-topmost": Producer, Errata1Only,
            "On s390x only leaf functions keep the return address or FP in another register."
                => [RowCallWithoutSavedRa] if [S390x, RaRegisterWord];
        "v2e1/s390x/word-count": Producer, FromErrata1,
            "On s390x a row of a default function has one, two or three words."
                => [RowWordCount] if [S390x, Row];
        "v2e1/s390x/initial-registers": Consumer, FromErrata1,
            "On s390x a stack tracer starts with SP, FP and the return address from their registers.";
        "v2e1/s390x/unchanged-ra-check": Consumer, FromErrata1,
            "On s390x a stack tracer makes sure that an unchanged return address occurs in the topmost frame only.";
        "v2e1/s390x/register-check": Consumer, Errata1Only,
            "On s390x a stack tracer takes the return address or FP from a register in the topmost frame only.";
        "v2e1/s390x/decode-cfa": Consumer, FromErrata1,
            "On s390x a stack tracer multiplies the first word by 8 and adds 160.";
        "v2e1/s390x/caller-sp": Consumer, FromErrata1, "On s390x the caller's SP is the CFA less 160.";
    }
}
