//! What tables cost: bytes and counts of many files added up.

use results::{Sizes, TrialLine};

/// Heads of the columns that say what tables cost, sizes in bytes.
pub(crate) const COLUMNS: [&str; 8] =
    ["files", "text", ".sframe", ".eh_frame", "+ hdr", "ratio", "bytes/fn", "rows/fn"];

/// Sums over files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    /// Files summed.
    pub(crate) files: u64,
    /// Sums of their bytes and counts.
    pub(crate) sizes: Sizes,
}

impl Cost {
    /// Adds the sizes of one more file.
    pub(crate) fn add(&mut self, sizes: &Sizes) {
        self.files += 1;
        self.sizes.add(sizes);
    }

    /// What the columns [`COLUMNS`] of a table for a terminal show.
    pub(crate) fn cells(&self) -> [String; 8] {
        let Sizes { sframe, eh_frame, eh_frame_hdr, functions: _, rows, text } = self.sizes;
        let fixed =
            |value: Option<f64>, digits: usize| value.map_or("0".to_owned(), |value| format!("{value:.digits$}"));
        [
            self.files.to_string(),
            text.to_string(),
            sframe.to_string(),
            eh_frame.to_string(),
            eh_frame_hdr.to_string(),
            fixed(self.ratio(), 2),
            fixed(self.per_function(sframe), 1),
            fixed(self.per_function(rows), 2),
        ]
    }

    /// Bytes of `.eh_frame` and its index, which a reader needs as it needs the one `.sframe`.
    pub(crate) fn eh(&self) -> u64 {
        self.sizes.eh_frame.saturating_add(self.sizes.eh_frame_hdr)
    }

    /// An amount for each function; none if there is no function.
    pub(crate) fn per_function(&self, amount: u64) -> Option<f64> {
        quotient(amount, self.sizes.functions)
    }

    /// Bytes of `.sframe` for each byte of `.eh_frame` and its index; `None` without `.eh_frame`.
    pub(crate) fn ratio(&self) -> Option<f64> {
        quotient(self.sizes.sframe, self.eh())
    }
}

/// The sizes of a trial's file, where they say what a table costs: a compiled program with both
/// tables. Hand-written cases are unusual on purpose, and what a linker leaves of several tables is
/// not all counted by its first.
pub(crate) fn compared(trial: &TrialLine) -> Option<&Sizes> {
    let sizes = trial.sizes.as_ref()?;
    (trial.tools.contains_key("compiler") && sizes.text > 0 && sizes.sframe > 0 && sizes.eh_frame > 0).then_some(sizes)
}

fn quotient(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
