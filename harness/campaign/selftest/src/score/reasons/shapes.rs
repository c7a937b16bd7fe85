//! Code whose answers are undecided, a shape for each cause, and the words of each target in it:
//! `shapes.txt`, `amd64.txt`, ....

use types::{Abi, UndecidedCause, UndecidedReason};

/// How the code of a shape is executed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// As a program: `_start` calls each copy.
    Run,
    /// By exploration, without inputs.
    Explore,
}

/// Code that a cause of undecided answers covers.
pub(super) struct Shape {
    pub(super) why: UndecidedReason,
    pub(super) way: Way,
    pub(super) on: Vec<Abi>,
    pub(super) source: String,
}

/// All shapes; none of a heading that cannot be read.
pub(super) fn shapes() -> Vec<Shape> {
    sections(include_str!("shapes.txt")).into_iter().filter_map(|(heading, source)| shape(heading, source)).collect()
}

fn shape(heading: &str, source: String) -> Option<Shape> {
    let mut words = heading.split(' ');
    let name = words.next()?;
    let why = UndecidedCause::ALL.into_iter().find(|why| why.name() == name)?;
    let way = if words.next()? == "run" { Way::Run } else { Way::Explore };
    let only = words.next();
    let on = Abi::ALL.into_iter().filter(|abi| only.is_none_or(|only| abi.name() == only)).collect();
    Some(Shape { why: UndecidedReason::Answers(why), way, on, source })
}

/// Registers, offsets, code and macros (`MACROS`) of a target, in the order in which they are
/// replaced.
pub(super) fn words(abi: Abi) -> Vec<(&'static str, String)> {
    sections(match abi {
        Abi::Amd64 => include_str!("amd64.txt"),
        Abi::Aarch64 | Abi::Aarch64Be => include_str!("aarch64.txt"),
        Abi::S390x => include_str!("s390x.txt"),
    })
}

/// Headings after `==`, each with the lines up to the next; comments begin with `# `.
fn sections(text: &'static str) -> Vec<(&'static str, String)> {
    let lines = |text: &'static str| text.lines().filter(|line| !line.starts_with("# ") && !line.is_empty());
    let section = |text: &'static str| {
        let (heading, body) = text.split_once('\n')?;
        Some((heading, lines(body).collect::<Vec<_>>().join("\n")))
    };
    text.split("\n== ").skip(1).filter_map(section).collect()
}
