//! Features of a table that clauses of the specification depend on.

use types::named;

named! {
    /// A property of a judged table that not every table has, and without which the rules of some
    /// clauses have nothing to check. Each description states how the decoded table shows it; "row"
    /// means a row of a function that could be read.
    pub enum Feature {
        // The file and how it was judged.
        /// The file is relocatable (ET_REL).
        Object = "object",
        /// The file is linked (ET_EXEC, ET_DYN).
        Linked = "linked",
        /// The meaning of rows was judged: by execution, or by comparison with `.eh_frame`.
        Meaning = "meaning",
        /// Rows were executed against the truth.
        Executed = "executed",
        /// Functions were compared with those of `.eh_frame`.
        EhFrame = "eh-frame",
        /// A function lies in a PLT section (a section whose name begins with `.plt`).
        Plt = "plt",

        // The header.
        /// The magic is E2 DE.
        LittleEndian = "little-endian",
        /// The magic is DE E2.
        BigEndian = "big-endian",
        /// The header's ABI is AMD64.
        Amd64 = "amd64",
        /// The header's ABI is AArch64, either byte order.
        Aarch64 = "aarch64",
        /// The header's ABI is s390x.
        S390x = "s390x",
        /// SFRAME_F_FDE_SORTED is set and there are two functions with different addresses.
        Sorted = "sorted",
        /// SFRAME_F_FRAME_POINTER is set.
        FramePointerFlag = "frame-pointer-flag",
        /// SFRAME_F_FDE_FUNC_START_PCREL is set and there is a function.
        Pcrel = "pcrel",
        /// SFRAME_F_FDE_FUNC_START_PCREL is clear and there is a function.
        PcrelClear = "pcrel-clear",

        // Functions.
        /// At least one function.
        Function = "function",
        /// At least two functions: the start of the second shows the size of the first.
        Functions = "functions",
        /// A start field is negative.
        NegativeStart = "negative-start",
        /// A start field does not fit 32 bits, signed (V3).
        FarStart = "far-start",
        /// A function of PC type MASK with a row.
        Pcmask = "pcmask",
        /// A function of PC type MASK with a row, at least twice as large as its block.
        PcmaskRepeats = "pcmask-repeats",
        /// A function with FRE type ADDR1 and a row.
        Addr1 = "addr1",
        /// A function with FRE type ADDR2 and a row.
        Addr2 = "addr2",
        /// A function with FRE type ADDR4 and a row.
        Addr4 = "addr4",
        /// AArch64: a row with the signed bit in a function with key A.
        PauthKeyA = "pauth-key-a",
        /// AArch64: a row with the signed bit in a function with key B.
        PauthKeyB = "pauth-key-b",
        /// V3: a function with the signal bit.
        Signal = "signal",
        /// A function without rows and, in V3, without the signal bit.
        NoRows = "no-rows",
        /// V3: a flex function with a row that has words.
        Flex = "flex",

        // Rows, of default and flex functions alike.
        /// At least one row.
        Row = "row",
        /// A function of PC type INC with at least two rows.
        Rows = "rows",
        /// A row whose start has its highest bit set in the width it is stored in.
        HighStart = "high-start",
        /// A row with words of 1 byte.
        Word1 = "word-1",
        /// A row with words of 2 bytes.
        Word2 = "word-2",
        /// A row with words of 4 bytes.
        Word4 = "word-4",
        /// A row of a default function with a negative word.
        NegativeWord = "negative-word",
        /// A row without words: the return address is undefined.
        Outermost = "outermost",
        /// A row with the signed bit.
        SignedRa = "signed-ra",

        // Rows of default functions, by meaning.
        /// A row of a default function whose CFA counts from SP.
        CfaFromSp = "cfa-from-sp",
        /// A row of a default function whose CFA counts from FP.
        CfaFromFp = "cfa-from-fp",
        /// A row of a default function with an RA word that names a stack slot (not AMD64).
        RaSlot = "ra-slot",
        /// A row of a default function with words but none for RA, where the header fixes none: RA
        /// is in its register.
        RaUnchanged = "ra-unchanged",
        /// A row of a default function with an FP word that names a stack slot.
        FpSlot = "fp-slot",
        /// A row of a default function with words but none for FP.
        FpUnchanged = "fp-unchanged",
        /// s390x: a row of a default function with RA word 0 and an FP word.
        RaFiller = "ra-filler",
        /// s390x: a row of a default function whose CFA word is not 0, so that factor and
        /// adjustment both show.
        ScaledCfa = "scaled-cfa",
        /// s390x V2: a row with an odd RA word.
        RaRegisterWord = "ra-register-word",
        /// s390x V2: a row with an odd FP word.
        FpRegisterWord = "fp-register-word",

        // Rows of flex functions, by meaning. `reg_p` is bit 0 of a control word, `deref_p` bit 1.
        /// A flex row whose CFA counts from a register other than SP and FP.
        FlexOtherRegister = "flex-other-register",
        /// A flex row whose CFA is loaded (deref_p).
        FlexCfaLoad = "flex-cfa-load",
        /// A flex row whose CFA is not loaded.
        FlexCfaSum = "flex-cfa-sum",
        /// A flex row with pairs for RA and FP.
        FlexThreePairs = "flex-three-pairs",
        /// A flex row with the RA filler and a pair for FP.
        FlexFiller = "flex-filler",
        /// A flex row without a pair for RA, with or without the filler: no rule for RA.
        FlexRaAbsent = "flex-ra-absent",
        /// A flex row with words but no FP pair.
        FlexFpAbsent = "flex-fp-absent",
        /// A flex row with RA or FP loaded from CFA + offset (reg_p clear, deref_p set).
        FlexCfaSlot = "flex-cfa-slot",
        /// A flex row with RA or FP loaded from register + offset (reg_p and deref_p set).
        FlexRegisterSlot = "flex-register-slot",
        /// A flex row with RA or FP in a register (reg_p set, deref_p clear).
        FlexRegisterValue = "flex-register-value",
        /// A flex row with a control word whose highest bit is set in the width it is stored in.
        HighControlWord = "high-control-word",
        /// A flex row with a negative offset word.
        FlexNegativeOffset = "flex-negative-offset",
    }
}
