//! Why a function has no descriptor.

use types::named;

named! {
    /// Why the format cannot express a function.
    pub enum Reason {
        /// Its CFI cannot be read.
        Unreadable = "its CFI cannot be read",
        /// It is longer than a descriptor can express.
        TooLong = "it is longer than 4 GiB",
        /// Its start is further away than a descriptor can express.
        TooFar = "it is further than 2 GiB from the section",
        /// It has more rows than a descriptor can count.
        TooManyRows = "it has more than 65,535 rows",
        /// The return address has another column than the ABI's.
        ReturnColumn = "its return address is in a column other than the ABI's",
        /// The CFA counts from a register other than SP and FP.
        CfaRegister = "its CFA counts from a register other than SP and FP",
        /// The CFA is a DWARF expression that no row can express.
        CfaExpression = "its CFA is an expression",
        /// An offset has no word of at most 32 bits.
        Offset = "an offset has no word",
        /// The return address is somewhere else than a row can express.
        ReturnAddress = "its return address is where no row can express",
        /// FP is somewhere else than a row can express.
        FramePointer = "its frame pointer is where no row can express",
        /// FP is saved and the return address is not.
        FramePointerAlone = "it saves the frame pointer without the return address",
        /// The caller's SP is not the one that the ABI derives from the CFA.
        StackPointer = "its caller's SP is not what the ABI derives from the CFA",
        /// The address of the signing instruction is part of the signature.
        SignedWithPc = "its return address is signed with the PC",
        /// It is a signal frame, which has no mark before V3.
        SignalFrame = "it is a signal frame, which has no mark before V3",
    }
}
