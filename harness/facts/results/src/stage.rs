//! The stages of a build.

/// A stage of a build.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// An object file as the assembler wrote it.
    Object,
    /// All objects linked by `ld -r`.
    Relocatable,
    /// The linked file.
    Linked,
    /// The linked file, stripped or copied.
    Stripped,
}

impl Stage {
    /// Name in results.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Object => "object",
            Stage::Relocatable => "relocatable",
            Stage::Linked => "linked",
            Stage::Stripped => "stripped",
        }
    }
}
