//! The stages of a build.

types::named! {
    /// A stage of a build.
    pub enum Stage {
        /// An object file as the assembler wrote it.
        Object = "object",
        /// All objects linked by `ld -r`.
        Relocatable = "relocatable",
        /// The linked file.
        Linked = "linked",
        /// The linked file, stripped or copied.
        Stripped = "stripped",
    }
}
