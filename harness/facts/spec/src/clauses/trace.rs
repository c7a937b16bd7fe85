//! Clauses of walking the stack.

clauses! {
    "Generating Stack Traces using SFrame" {
        "v2e1/trace/chain": Producer, All,
            "The rows lead from each frame to its true caller." => [ChainMatchesTruth] if [Executed, Row];
        "v2e1/trace/fp-unchanged": Producer, All,
            "A row without an FP word means that the frame has not changed FP."
                => [RowFpMatchesTruth, CfiFpDiffers] if [FpUnchanged, Meaning];
        "v2e1/trace/first-frame": Consumer, All, "A stack tracer starts with PC, SP and FP of the machine.";
        "v2e1/trace/base-register": Consumer, All,
            "A stack tracer takes FP or SP as the base of the CFA, as the row encodes.";
        "v2e1/trace/caller-sp": Consumer, All, "The caller's SP is the CFA (s390x: less 160).";
        "v2e1/trace/load-ra": Consumer, All,
            "The caller's PC is loaded from the CFA plus the row's or the header's offset of the return address.";
        "v2e1/trace/load-fp": Consumer, All,
            "The caller's FP is loaded from the CFA plus the row's or the header's offset of FP.";
        "v2e1/trace/keep-fp": Consumer, All,
            "Where nothing gives an offset for FP, the caller's FP is the frame's own.";
        "v2e1/trace/no-row": Consumer, All,
            "An address without a row is reported as an error; nothing is guessed.";
    }
}
