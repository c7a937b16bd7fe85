//! Cases of linking: what a recipe says, how it is carried out with the tools at hand, and what the files it makes are judged by.
//!
//! A recipe (`cases/link/*.yaml`) names objects, steps that make files of them, and what must hold between those files. Tools
//! come from outside, behind [`Toolbox`]; the judge is `judge::link`.

mod build;
mod execute;
mod facts;
mod recipe;
mod toolbox;

pub use build::symbols;
pub use execute::{FileOutcome, Outcome, Sizes, Unsupported, execute};
pub use facts::facts;
pub use recipe::{Expectations, LinkCase, Object, Recipe, RecipeError, Run, Step, StepKind};
pub use toolbox::{Assembly, CommandOutcome, Linker, Maker, ToolError, Toolbox, Work};

/// The folder under `cases/` and the topic in keys.
pub const TOPIC: &str = "link";
