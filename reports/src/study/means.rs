//! Averages over programs: each program has the same weight, however long it runs.

use results::UnwindMethod;

use super::Cell;

/// Shares of samples for which a method is right, in per cent, averaged over programs.
pub(super) struct Means {
    own: Average,
    all: Average,
}

/// First callers and complete chains.
#[derive(Clone, Copy)]
struct Average {
    first: f64,
    chain: f64,
    /// Complete chains of the programs with the fewest and the most.
    spread: (f64, f64),
    programs: u32,
}

impl Default for Average {
    fn default() -> Self {
        Average { first: 0.0, chain: 0.0, spread: (100.0, 0.0), programs: 0 }
    }
}

impl Average {
    fn add(&mut self, [first, chain]: [u64; 2], samples: u64) {
        if samples > 0 {
            self.first += first as f64 * 100.0 / samples as f64;
            let chain = chain as f64 * 100.0 / samples as f64;
            self.chain += chain;
            self.spread = (self.spread.0.min(chain), self.spread.1.max(chain));
            self.programs += 1;
        }
    }

    fn text(self) -> String {
        let programs = f64::from(self.programs.max(1));
        format!("{} / {}", percent(self.first / programs), percent(self.chain / programs))
    }
}

impl Means {
    /// The averages of a method; `None` if no cell has it.
    pub(super) fn new<'c>(cells: impl Iterator<Item = &'c Cell>, method: UnwindMethod) -> Option<Means> {
        let (mut own, mut all) = (Average::default(), Average::default());
        for cell in cells {
            if let Some(counts) = cell.counts(method) {
                // A program that does nearly all in its libraries has too few samples of its own.
                if cell.own_samples * 100 >= cell.samples {
                    own.add(counts.own, cell.own_samples);
                }
                all.add(counts.all, cell.samples);
            }
        }
        (all.programs > 0).then_some(Means { own, all })
    }

    /// First callers and chains, of own frames and of all; of several programs with the spread of
    /// the last number.
    pub(super) fn text(&self) -> String {
        let (least, most) = self.all.spread;
        let spread =
            if self.all.programs > 1 { format!(" ({}-{})", percent(least), percent(most)) } else { String::new() };
        format!("{}, {}{spread}", self.own.text(), self.all.text())
    }

    /// Number of programs with samples of their own, and of all.
    pub(super) fn programs(&self) -> String {
        format!("{}, {}", self.own.programs, self.all.programs)
    }

    /// Complete chains of all frames.
    pub(super) fn chain(&self) -> String {
        percent(self.all.chain / f64::from(self.all.programs.max(1)))
    }
}

/// Per cent with one decimal, rounded down, so that only the whole is 100.
pub(super) fn percent(value: f64) -> String {
    let tenths = (value * 10.0 + 1e-6).floor();
    format!("{:.1}", tenths / 10.0)
}
