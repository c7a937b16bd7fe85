//! Cases of linking: the recipe, how it is executed with the tools of this machine, and what judges
//! its files.
//!
//! A recipe (`cases/link/*.yaml`) names objects, steps that make files of them, and what must hold
//! between those files. A recipe and the tools at hand give a build ([`plan()`]); the judge is
//! `judge::link`.

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
