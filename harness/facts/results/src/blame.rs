//! The producer that is blamed.

types::named! {
    /// The tool whose output is wrong.
    pub enum Blame {
        /// The compiler, or hand-written CFI: both tables are made from the same wrong directives.
        Compiler = "compiler",
        /// The assembler made a wrong table from correct directives.
        Assembler = "assembler",
        /// The linker wrote or changed the table.
        Linker = "linker",
        /// strip, objcopy, or another tool that copies a linked file.
        PostProcessor = "post-processor",
        /// The assembler or the linker: a linked file without its objects does not show which.
        AssemblerOrLinker = "assembler-or-linker",
        /// The part of the tool that writes `.eh_frame`, or this harness.
        EhFrame = "eh-frame",
        /// A reader of tables.
        Consumer = "consumer",
        /// The values do not show which tool.
        Undetermined = "undetermined",
    }
}
