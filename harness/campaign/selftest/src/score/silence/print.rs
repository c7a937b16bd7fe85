//! The results of wrong values as text and as JSON: by place, by cause, and each that is silent.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::AddAssign;

use serde_json::{Value, json};

use super::{Cause, Fate, Planted};
use crate::score::table::{Table, in_one_line};

/// Numbers of wrong values by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Silence {
    /// Number that matter.
    pub planted: usize,
    pub error: usize,
    pub refused: usize,
    pub undecided: usize,
    pub silent: usize,
    /// Number of silent ones that `--gaps` lists.
    pub listed: usize,
    /// Number that leave every value as it is, or are where the unchanged file has an error.
    pub none: usize,
}

impl Silence {
    /// Maximum share of silent ones, in per mille.
    pub const MOST_SILENT: usize = 10;

    pub fn new<'p>(all: impl IntoIterator<Item = &'p Planted>) -> Silence {
        let mut sum = Silence::default();
        all.into_iter().for_each(|one| sum += &one.fate);
        sum
    }

    /// Returns true if few enough are silent, and each of these is listed.
    pub fn passes(&self) -> bool {
        self.silent * 1000 <= self.planted * Self::MOST_SILENT && self.listed == self.silent
    }

    fn cells(&self) -> [String; 8] {
        let share = 100.0 * self.silent as f64 / self.planted.max(1) as f64;
        let Silence { planted, error, refused, undecided, silent, listed, none } = *self;
        let counts = [planted, error, refused, undecided, silent, listed].map(|count| count.to_string());
        let [planted, error, refused, undecided, silent, listed] = counts;
        [planted, error, refused, undecided, silent, listed, format!("{share:.2} %"), none.to_string()]
    }
}

impl AddAssign<&Fate> for Silence {
    fn add_assign(&mut self, fate: &Fate) {
        self.planted += usize::from(!matches!(fate, Fate::Right | Fate::WrongBefore));
        *match fate {
            Fate::Error(_) => &mut self.error,
            Fate::Refused(_) => &mut self.refused,
            Fate::Undecided(_) => &mut self.undecided,
            Fate::Right | Fate::WrongBefore => &mut self.none,
            Fate::Silent { listed, .. } => {
                self.listed += usize::from(*listed);
                &mut self.silent
            }
        } += 1;
    }
}

/// Prints a line for each place and cause, and one for each silent value.
pub fn print(all: &[Planted], out: &mut dyn Write) -> io::Result<()> {
    let heads = ["planted", "error", "refused", "undecided", "silent", "listed", "share", "no plant"];
    let mut table = Table::new("place", heads);
    let mut places: BTreeMap<&str, Silence> = BTreeMap::new();
    let mut causes: BTreeMap<Cause, Silence> = BTreeMap::new();
    for one in all {
        *places.entry(&one.place).or_default() += &one.fate;
        if let Fate::Silent { cause, .. } = one.fate {
            *causes.entry(cause).or_default() += &one.fate;
        }
    }
    places.iter().for_each(|(place, sum)| table.line(place, sum.cells()));
    table.line("all", Silence::new(all).cells());
    write!(out, "{table}")?;
    let mut table = Table::new("cause of silence", ["silent", "listed"]);
    for (cause, sum) in causes {
        table.line(cause.name(), [sum.silent, sum.listed]);
    }
    write!(out, "{table}")?;
    for one in all {
        let Fate::Silent { cause, listed } = one.fate else { continue };
        let (file, place) = (in_one_line(&one.file), &one.place);
        let line = if listed { "listed" } else { "not listed" };
        write!(
            out,
            "silent ({}, {line}): {file}: {place} at {:#x}: {:#x} -> {:#x}",
            cause.name(),
            one.at,
            one.was,
            one.is
        )?;
        if let Some(answer) = &one.answer {
            write!(out, ": {}, {} instructions", in_one_line(&answer.place), one.instructions)?;
        }
        one.clauses.iter().try_for_each(|clause| write!(out, "; {clause}"))?;
        writeln!(out)?;
    }
    Ok(())
}

pub fn to_json(all: &[Planted]) -> Value {
    let mut places: BTreeMap<&str, Silence> = BTreeMap::new();
    all.iter().for_each(|one| *places.entry(&one.place).or_default() += &one.fate);
    json!({"schema": 1, "all": Silence::new(all), "places": places, "planted": all})
}
