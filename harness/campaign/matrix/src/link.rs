//! Link cases: the recipe, its execution with the installed tools, and its judgement.
//!
//! A recipe (`cases/link/*.yaml`) contains objects, steps that make files from them, and the
//! expected relations between these files. A recipe and the available tools define a build
//! ([`plan()`]); the judge is `judge::link`.

mod build;
mod execute;
mod facts;
mod lack;
mod plan;
mod recipe;
mod tools;

pub use execute::{FileOutcome, LinkOutcome, Sizes, Unsupported, execute};
pub use facts::facts;
pub use lack::Lack;
pub use plan::{Plan, file_of, plan};
pub use recipe::{Expectations, LinkCase, Linker, Maker, Object, Recipe, RecipeError, Run, Step, StepKind};
pub use tools::{LinkTools, SecondLinker};

/// The folder under `cases/` and the topic in keys.
pub const TOPIC: &str = "link";
