//! The stages of a build, in its order.

/// A stage of a build.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// An object as the assembler wrote it.
    Object,
    /// All objects as one, `ld -r`.
    Relocatable,
    /// The linked file.
    Linked,
    /// The linked file without symbols, or copied.
    Stripped,
}

impl Stage {
    /// The word in results.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Object => "object",
            Stage::Relocatable => "relocatable",
            Stage::Linked => "linked",
            Stage::Stripped => "stripped",
        }
    }
}
