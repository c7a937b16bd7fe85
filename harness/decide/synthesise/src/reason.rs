//! Reasons why a function has no descriptor.

use types::named;

named! {
    /// Why the format cannot express a function.
    pub enum Reason {
        /// The CFI of the function cannot be read.
        Unreadable = "its CFI cannot be read",
        /// The function is longer than a descriptor can express.
        TooLong = "it is larger than 4 GiB",
        /// The start of the function is further away than a descriptor can express.
        TooFar = "it is further than 2 GiB from the section",
        /// The function has more rows than a descriptor can count.
        TooManyRows = "it has more than 65,535 rows",
        /// The return address is in another column than the ABI's.
        ReturnColumn = "its return address is in a column other than the ABI's",
        /// The base of the CFA is a register other than SP and FP.
        CfaRegister = "its CFA counts from a register other than SP and FP",
        /// The CFA is a DWARF expression that no row can express.
        CfaExpression = "its CFA is an expression",
        /// An offset does not fit a word of 32 bits.
        Offset = "an offset does not fit a word",
        /// The location of the return address cannot be expressed by a row.
        ReturnAddress = "its return address is in a place that no row can express",
        /// The location of FP cannot be expressed by a row.
        FramePointer = "its frame pointer is in a place that no row can express",
        /// FP is saved without the return address.
        FramePointerAlone = "it saves the frame pointer without the return address",
        /// The caller's SP is not at the ABI's distance from the CFA.
        StackPointer = "its caller's SP is not what the ABI derives from the CFA",
        /// The address of the signing instruction is part of the signature.
        SignedWithPc = "its return address is signed with the PC",
        /// The function is a signal frame, which cannot be marked before V3.
        SignalFrame = "it is a signal frame, which has no mark before V3",
    }
}
