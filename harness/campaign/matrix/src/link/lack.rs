//! Why a file of a recipe cannot be made on this machine.

use toolchain::entry::{self, Flavour};

/// Why the installed tools cannot make a file of a recipe.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lack {
    #[error("no assembler here writes another SFrame version")]
    Assembler,
    #[error("'{file}': no linker of another family here")]
    OtherLinker { file: String },
    /// The recipe lists the linker family as lacking a feature.
    #[error("'{file}': {} {feature}", flavour.name())]
    Feature { file: String, flavour: Flavour, feature: String },
    #[error("'{file}': does not apply to {}", flavour.name())]
    Flavour { file: String, flavour: Flavour },
    /// A tool of the step is not installed.
    #[error("no {tool} beside {linker}")]
    Tool { tool: String, linker: String },
    #[error("{tool} has no step '{}'", step.name())]
    Command { tool: String, step: entry::Step },
    #[error("'{file}' fails also where no input has .sframe: {why}")]
    Control { file: String, why: String },
}
