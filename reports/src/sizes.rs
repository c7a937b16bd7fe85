//! Sizes of tables: bytes and counts summed over many files.

use results::{Sizes, TrialLine};

/// Headings of the columns of sizes, in bytes.
pub(crate) const COLUMNS: [&str; 8] =
    ["files", "text", ".sframe", ".eh_frame", "+ hdr", "ratio", "bytes/fn", "rows/fn"];

/// Sums over files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) files: u64,
    /// Sums of sizes and counts.
    pub(crate) sizes: Sizes,
}

impl Cost {
    /// Adds the sizes of one more file.
    pub(crate) fn add(&mut self, sizes: &Sizes) {
        self.files += 1;
        self.sizes.add(sizes);
    }

    /// The cells for the columns [`COLUMNS`] of a table for a terminal.
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

    /// Bytes of `.eh_frame` and its index, both of which a reader needs.
    pub(crate) fn eh(&self) -> u64 {
        self.sizes.eh_frame.saturating_add(self.sizes.eh_frame_hdr)
    }

    /// An amount per function; `None` without functions.
    pub(crate) fn per_function(&self, amount: u64) -> Option<f64> {
        quotient(amount, self.sizes.functions)
    }

    /// Bytes of `.sframe` for each byte of `.eh_frame` and its index; `None` without `.eh_frame`.
    pub(crate) fn ratio(&self) -> Option<f64> {
        quotient(self.sizes.sframe, self.eh())
    }
}

/// The sizes of a trial's file if they are representative: a compiled program with both tables.
/// Handwritten cases are unusual on purpose, and a linked file with several tables is counted only
/// by the first.
pub(crate) fn compared(trial: &TrialLine) -> Option<&Sizes> {
    let sizes = trial.sizes.as_ref()?;
    (trial.tools.contains_key("compiler") && sizes.text > 0 && sizes.sframe > 0 && sizes.eh_frame > 0).then_some(sizes)
}

fn quotient(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
