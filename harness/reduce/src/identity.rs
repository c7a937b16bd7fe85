//! When two findings are one and the same fault, whatever text shows it.
//!
//! A fingerprint is too narrow for that: it has the function's name and every number of the row. What stays while text is cut away:
//! the kind of rule, who is at fault, whether execution showed it, whether `.eh_frame` is right where `.sframe` is wrong, and how the
//! wrong field relates to the right one: the form of both (`rsp`, `[cfa]`, `same`) and which of two offsets is the larger.

use std::cmp::Ordering;
use std::fmt;

use model::{Finding, RuleId, Values};

/// What must stay the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// A finding.
    Finding(Relation),
    /// A tool fails, with this said: its own words without places, the first line that tells of a fault of the tool itself.
    Failure(String),
}

/// A finding without what cutting may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// `cfa`, `ra` or `fp` where the two tables or the machine contradict a row; else the rule's id.
    pub class: String,
    /// Who is at fault.
    pub blame: String,
    /// Shown by execution.
    pub executed: bool,
    /// `.eh_frame` is right there.
    pub eh_frame_is_right: bool,
    /// Form of what `.sframe` says.
    pub said: String,
    /// Form of what holds.
    pub holds: String,
    /// What is said against what holds, where both are of one form and have numbers.
    pub order: Option<Ordering>,
    /// Of a rule of linking, whose breaches have neither rows nor functions: what is wrong, in the rule's own words.
    pub breach: String,
}

impl Identity {
    /// A finding's; of a build that failed, what the tool said.
    pub fn of(found: &Finding) -> Identity {
        match found.rule().starts_with("build/") {
            true => Identity::of_failure(&found.message),
            false => Identity::Finding(Relation::of(found)),
        }
    }

    /// That of a producer's failure, from all that it printed.
    pub fn of_failure(told: &str) -> Identity {
        Identity::Failure(telling(told))
    }

    /// The kind alone: what a change of form (executed, or the object by itself) must keep.
    pub fn class(&self) -> (&str, &str) {
        match self {
            Identity::Finding(relation) => (&relation.class, &relation.blame),
            Identity::Failure(told) => ("failure", told),
        }
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Identity::Failure(told) => write!(out, "failure: {told}"),
            Identity::Finding(relation) => {
                write!(out, "{}, blame {}", relation.class, relation.blame)?;
                if !relation.said.is_empty() || !relation.holds.is_empty() {
                    write!(out, ", {} where {} holds", relation.said, relation.holds)?;
                }
                if !relation.breach.is_empty() {
                    write!(out, ", {}", relation.breach)?;
                }
                match relation.order {
                    Some(Ordering::Less) => write!(out, ", too small"),
                    Some(Ordering::Greater) => write!(out, ", too large"),
                    _ => Ok(()),
                }
            }
        }
    }
}

impl Relation {
    fn of(found: &Finding) -> Relation {
        let class = class(found);
        let eh_frame_is_right = match (&found.truth, &found.eh_frame) {
            (Some(truth), Some(eh_frame)) => value(eh_frame, &found.field) == value(truth, &found.field),
            (None, eh_frame) => eh_frame.is_some(),
            (Some(_), None) => false,
        };
        // Where .eh_frame is right its row says how; the truth is always told from SP.
        let holds = if eh_frame_is_right { &found.eh_frame } else { &found.truth };
        let (said, holds) = (term(found.sframe.as_ref(), &found.field), term(holds.as_ref(), &found.field));
        let order = match (said.1, holds.1) {
            (Some(said_number), Some(number)) if said.0 == holds.0 => Some(said_number.cmp(&number)),
            _ => None,
        };
        Relation {
            class,
            blame: found.blame().clone(),
            executed: found.executed,
            eh_frame_is_right,
            said: said.0,
            holds: holds.0,
            order,
            breach: breach(found),
        }
    }
}

/// `row/cfa-matches-truth` and `cfi/cfa-differs` are one kind: the row's CFA is wrong. A chain that breaks is another, since what breaks
/// it may lie in any frame.
fn class(found: &Finding) -> String {
    match found.rule().name() {
        RuleId::RowCfaMatchesTruth | RuleId::CfiCfaDiffers => "cfa".to_owned(),
        RuleId::RowRaMatchesTruth | RuleId::CfiRaDiffers => "ra".to_owned(),
        RuleId::RowFpMatchesTruth | RuleId::CfiFpDiffers => "fp".to_owned(),
        RuleId::RowReadsDeadStack => found.field.clone(),
        rule => rule.to_owned(),
    }
}

/// What a breach of a rule of linking says, without the names of functions: how many there are may change.
fn breach(found: &Finding) -> String {
    /// Words of the judge that stand where names may stand, and have no blank in them.
    const WORDS: [&str; 4] = ["empty", "unreadable", "part", "relocations"];
    match (found.rule().name(), found.shape().split_once(": ")) {
        (RuleId::LinkDescribedOnce | RuleId::LinkFoldedOnce, _) => String::new(),
        (rule, Some((kind, names))) if rule.starts_with("link/") && !names.contains(' ') && !WORDS.contains(&names) => {
            kind.to_owned()
        }
        (rule, _) if rule.starts_with("link/") => found.shape().clone(),
        _ => String::new(),
    }
}

fn value(values: &Values, field: &str) -> Option<u64> {
    match field {
        "cfa" => values.cfa,
        "ra" => values.ra,
        "fp" => values.fp,
        _ => None,
    }
}

/// The form of one field of a row and its number: `rsp+16` is `rsp` and 16, `[cfa-8]` is `[cfa]` and -8.
fn term(values: Option<&Values>, field: &str) -> (String, Option<i64>) {
    let row = values.map_or("", |values| values.row.as_str());
    let named = row.split([' ', ';']).filter_map(|word| word.split_once('='));
    let Some((_, text)) = named.into_iter().find(|(name, _)| *name == field) else { return (String::new(), None) };
    let Some(at) = text.find(['+', '-']) else {
        let plain = !matches!(text, "same" | "undefined" | "none" | "expression" | "elsewhere");
        return (text.to_owned(), plain.then_some(0));
    };
    let (base, rest) = text.split_at(at);
    let closing = if rest.ends_with(']') { "]" } else { "" };
    (format!("{base}{closing}"), rest.trim_end_matches(']').parse().ok())
}

/// The line by which a failure is known: that of an internal error, an assertion or a signal, else the first; digits and names of
/// files taken out.
fn telling(told: &str) -> String {
    let lines: Vec<&str> = told.lines().flat_map(|line| line.split("; ")).collect();
    let own_fault = |line: &&&str| {
        let line = line.to_ascii_lowercase();
        ["internal error", "assertion", "fatal error", "signal"].iter().any(|word| line.contains(word))
    };
    let line = lines.iter().find(own_fault).or(lines.first()).copied().unwrap_or_default();
    let line = ["nternal error", "ssertion", "atal error"]
        .iter()
        .find_map(|word| line.find(word).and_then(|at| line.get(at.saturating_sub(1)..)))
        .unwrap_or(line);
    let words = line.split_whitespace().filter(|word| !word.contains(['/', ':']));
    let words: Vec<String> =
        words.map(|word| word.chars().filter(|c| !c.is_ascii_digit()).collect::<String>()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use model::FindingLine;
    use model::Values;

    use super::{Identity, telling};

    fn finding(rule: &str, field: &str, sframe: &str, eh_frame: &str) -> FindingLine {
        let row = |row: &str| Some(Values { row: row.to_owned(), ..Values::default() });
        FindingLine {
            rule: rule.to_owned(),
            field: field.to_owned(),
            blame: "assembler".to_owned(),
            sframe: row(sframe),
            eh_frame: row(eh_frame),
            ..FindingLine::default()
        }
    }

    #[test]
    fn numbers_and_names_may_change_and_nothing_else() {
        let whole = finding("cfi/cfa-differs", "cfa", "cfa=rsp+48 ra=[cfa-8] fp=same", "cfa=rsp+8 ra=[cfa-8] fp=same");
        let same = Identity::of(&whole);
        let smaller = FindingLine {
            function: "f".to_owned(),
            fingerprint: "0".to_owned(),
            ..finding("cfi/cfa-differs", "cfa", "cfa=rsp+16 ra=[cfa-8] fp=[cfa-16]", "cfa=rsp+8 ra=[cfa-8] fp=same")
        };
        assert_eq!(Identity::of(&smaller), same);
        let (small, large) = ("cfa=rsp+8 ra=[cfa-8] fp=same", "cfa=rsp+16 ra=[cfa-8] fp=same");
        let blamed = FindingLine { blame: "linker".to_owned(), ..whole.clone() };
        let executed = FindingLine { executed: true, ..whole.clone() };
        for (why, other) in [
            ("the other way round", finding("cfi/cfa-differs", "cfa", small, large)),
            ("another base", finding("cfi/cfa-differs", "cfa", "cfa=rbp+16", small)),
            ("another field", finding("cfi/fp-differs", "fp", "cfa=rsp+8 fp=[cfa-16]", small)),
            ("a chain", finding("chain/matches-truth", "cfa", large, small)),
            ("another blame", blamed),
            ("by execution", executed),
        ] {
            assert_ne!(Identity::of(&other), same, "{why}");
        }
    }

    #[test]
    fn the_tables_alike_are_another_fault_than_sframe_alone() {
        let with = |eh_frame_fp| FindingLine {
            truth: Some(Values { fp: Some(7), row: "fp=same".to_owned(), ..Values::default() }),
            eh_frame: Some(Values { fp: Some(eh_frame_fp), row: "fp=same".to_owned(), ..Values::default() }),
            ..finding("row/fp-matches-truth", "fp", "fp=[cfa-16]", "")
        };
        assert_ne!(Identity::of(&with(7)), Identity::of(&with(9)));
    }

    #[test]
    fn a_breach_of_linking_is_what_it_says_of_whatever_functions() {
        let breach = |shape: &str| {
            let found = FindingLine { shape: shape.to_owned(), ..finding("link/conserved", "structure", "", "") };
            Identity::of(&found)
        };
        assert_eq!(breach("missing: two,two_leaf"), breach("missing: one"));
        for (one, other) in [
            ("missing: no section", "missing: two"),
            ("missing: unreadable", "missing: two"),
            ("differs: two", "missing: two"),
            ("killed by signal 11", "refused"),
        ] {
            assert_ne!(breach(one), breach(other), "{one}, {other}");
        }
    }

    #[test]
    fn a_relation_says_which_is_larger() {
        let found = finding("cfi/cfa-differs", "cfa", "cfa=r15+160", "cfa=r15+164");
        let Identity::Finding(relation) = Identity::of(&found) else { panic!("a finding") };
        assert_eq!((relation.said.as_str(), relation.holds.as_str()), ("r15", "r15"));
        assert_eq!(relation.order, Some(Ordering::Less));
        assert_eq!(relation.class, "cfa");
    }

    #[test]
    fn a_failure_is_known_by_its_own_fault_wherever_it_stands() {
        let long =
            "as -o x.o x.s failed: x.s: Assembler messages:; x.s: Internal error in sframe_do at ../../gas/gen.c:1582.";
        let short =
            "as -o y.o y.s failed: y.s: Assembler messages:; y.s:7: Internal error in sframe_do at /b/gas/gen.c:9.";
        assert_eq!(telling(long), telling(short));
        assert!(telling(long).contains("sframe_do"), "{}", telling(long));
        assert_ne!(
            telling(long),
            telling("as -o x.o x.s failed: x.s: Assembler messages:; x.s:3: Error: no such instruction")
        );
        assert_eq!(telling(""), "");
    }
}
