//! A row's text read back as equations, as far as a picture needs them: `cfa=rsp+16 ra=[cfa-8] fp=same`.
//!
//! The source of the text is `model::UnwindRow::describe`; what is not of its form means nothing here and is only shown as text.

/// The three equations of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    /// How the CFA is found.
    pub(super) cfa: Term,
    /// How the return address is found.
    pub(super) ra: Term,
    /// How the caller's FP is found.
    pub(super) fp: Term,
}

/// The right side of an equation. Offsets in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Term {
    /// Not said, or not in a form that has a place.
    #[default]
    Unplaced,
    /// The register still holds it.
    Same,
    /// It cannot be found.
    Undefined,
    /// Base plus offset.
    Sum(String, i64),
    /// The word at base plus offset.
    Word(String, i64),
}

impl Row {
    /// Reads the text of a row.
    pub(super) fn read(text: &str) -> Row {
        let mut row = Row::default();
        for word in text.split([' ', ';']) {
            if let Some((name, term)) = word.split_once('=') {
                match name {
                    "cfa" => row.cfa = Term::read(term),
                    "ra" => row.ra = Term::read(term),
                    "fp" => row.fp = Term::read(term),
                    _ => {}
                }
            }
        }
        row
    }
}

impl Term {
    fn read(text: &str) -> Term {
        match text {
            "" | "none" | "expression" | "elsewhere" => Term::Unplaced,
            "same" => Term::Same,
            "undefined" => Term::Undefined,
            _ => match text.strip_prefix('[').map(|rest| rest.strip_suffix(']')) {
                Some(inner) => {
                    inner.and_then(sum).map_or(Term::Unplaced, |(base, offset)| Term::Word(base.to_owned(), offset))
                }
                None => sum(text).map_or(Term::Unplaced, |(base, offset)| Term::Sum(base.to_owned(), offset)),
            },
        }
    }
}

/// `base`, `base+n` or `base-n`.
fn sum(text: &str) -> Option<(&str, i64)> {
    let (base, offset) = match text.find(['+', '-']) {
        Some(at) => (text.get(..at)?, text.get(at..)?.parse().ok()?),
        None => (text, 0),
    };
    let named = !base.is_empty() && base.bytes().all(|byte| byte.is_ascii_alphanumeric());
    named.then_some((base, offset))
}

#[cfg(test)]
mod tests {
    use super::{Row, Term};

    #[test]
    fn a_row_reads_back_what_the_model_prints() {
        let word = |base: &str, offset| Term::Word(base.to_owned(), offset);
        let sum = |base: &str, offset| Term::Sum(base.to_owned(), offset);
        for (text, cfa, ra, fp) in [
            ("cfa=rsp+16 ra=[cfa-8] fp=same", sum("rsp", 16), word("cfa", -8), Term::Same),
            ("cfa=r10 ra=[cfa-8] fp=[rbp]", sum("r10", 0), word("cfa", -8), word("rbp", 0)),
            ("cfa=[rbp-8] ra=x30 fp=cfa-16 signed:A", word("rbp", -8), sum("x30", 0), sum("cfa", -16)),
            ("cfa=sp ra=undefined fp=same; no caller", sum("sp", 0), Term::Undefined, Term::Same),
            ("cfa=none ra=elsewhere fp=expression", Term::Unplaced, Term::Unplaced, Term::Unplaced),
        ] {
            assert_eq!(Row::read(text), Row { cfa, ra, fp }, "{text}");
        }
    }

    #[test]
    fn other_text_means_nothing() {
        for text in [
            "no row",
            "-",
            "",
            "cfa=",
            "cfa=[rsp+8",
            "cfa=rsp+",
            "cfa=rsp+x",
            "cfa=<b>+1",
            "cfa=r+99999999999999999999",
        ] {
            assert_eq!(Row::read(text).cfa, Term::Unplaced, "{text}");
        }
    }
}
