//! Identity of a finding across texts: whether two findings are the same bug.
//!
//! A fingerprint is too narrow: it contains the function's name and every number of the row. These
//! properties stay the same while text is removed: the kind of rule, the blamed tool, whether
//! execution showed the finding, whether `.eh_frame` is right where `.sframe` is wrong, and the
//! relation of the wrong field to the right one: the form of both (`rsp`, `[cfa]`, `same`) and
//! which of two offsets is larger.

use std::cmp::Ordering;
use std::fmt;

use results::{Blame, Finding, Values};
use spec::{RuleGroup, RuleId};
use toolchain::complaint::Complaint;
use types::{Abi, Aspect, CfaRule, Location, Reg, ValueRule};

/// Identity that a reduction must keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    Finding(Relation),
    /// A tool fails with this message: its text without positions, the first line about an internal
    /// error.
    Failure(String),
}

/// The properties of a finding that stay the same while text is removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    pub class: Class,
    /// The blamed producer.
    pub blame: Blame,
    /// True if execution showed it.
    pub executed: bool,
    /// True if `.eh_frame` is right there.
    pub eh_frame_is_right: bool,
    /// Form of the `.sframe` row.
    pub actual: FieldForm,
    /// Form of the right value.
    pub expected: FieldForm,
    /// Order of the wrong and the right number, if both have the same form and numbers.
    pub order: Option<Ordering>,
    /// For a linking rule, whose breaches have neither rows nor functions: the error in the rule's
    /// words.
    pub breach: String,
}

/// Kind of error. `row/cfa-matches-truth` and `cfi/cfa-differs` are the same kind: the row's CFA is
/// wrong. A broken chain is another kind, because its cause may be in any frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A field of a row, contradicted by the other table or the machine.
    Field(Aspect),
    /// Another rule is broken.
    Rule(RuleId),
}

/// The form of one field of a row: `rsp+16` is `rsp`, `[cfa-8]` is `[cfa]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldForm {
    /// There is no row, or the finding is not about a field of one.
    None,
    Same,
    Undefined,
    /// `none`: the row gives no CFA.
    Unspecified,
    Expression,
    Elsewhere,
    /// A register plus a number.
    Register(Abi, Reg),
    /// The word at a register plus a number.
    Memory(Abi, Reg),
    CfaPlus,
    /// The word at the CFA plus a number.
    AtCfa,
}

impl Identity {
    /// Identity of a finding; for a failed build, of the tool's message.
    pub fn from_finding(found: &Finding) -> Identity {
        match found.rule().group() {
            RuleGroup::Build => Identity::from_failure(&found.shown.message),
            _ => Identity::Finding(Relation::from_finding(found)),
        }
    }

    /// Identity of a producer's failure, from its complete output.
    pub fn from_failure(printed: &str) -> Identity {
        Identity::Failure(Complaint(printed).fault())
    }

    /// Returns true if another identity is of the same kind, which must stay the same when the form
    /// changes (executed, or the object alone).
    pub fn is_like(&self, other: &Identity) -> bool {
        match (self, other) {
            (Identity::Finding(one), Identity::Finding(other)) => (one.class, one.blame) == (other.class, other.blame),
            (Identity::Failure(one), Identity::Failure(other)) => one == other,
            (Identity::Finding(_), Identity::Failure(_)) | (Identity::Failure(_), Identity::Finding(_)) => false,
        }
    }

    /// The blamed producer, if it is a finding.
    pub fn blame(&self) -> Option<Blame> {
        match self {
            Identity::Finding(relation) => Some(relation.blame),
            Identity::Failure(_) => None,
        }
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Identity::Failure(printed) => write!(out, "failure: {printed}"),
            Identity::Finding(relation) => {
                write!(out, "{}, blame {}", relation.class, relation.blame)?;
                if relation.actual != FieldForm::None || relation.expected != FieldForm::None {
                    write!(out, ", {}, expected {}", relation.actual, relation.expected)?;
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
    fn from_finding(found: &Finding) -> Relation {
        let eh_frame_is_right = match (&found.evidence.truth, &found.evidence.eh_frame) {
            (Some(truth), Some(eh_frame)) => {
                value(eh_frame, found.evidence.field) == value(truth, found.evidence.field)
            }
            (None, eh_frame) => eh_frame.is_some(),
            (Some(_), None) => false,
        };
        // If `.eh_frame` is right its row has the form; the true CFA is always relative to SP.
        let right = if eh_frame_is_right { &found.evidence.eh_frame } else { &found.evidence.truth };
        let term = |row: &Option<Values>| term(row.as_ref(), found.evidence.field);
        let (actual, expected) = (term(&found.evidence.sframe), term(right));
        let order = match (actual.1, expected.1) {
            (Some(number), Some(right)) if actual.0 == expected.0 => Some(number.cmp(&right)),
            _ => None,
        };
        Relation {
            class: Class::from_finding(found),
            blame: found.blame(),
            executed: found.evidence.executed,
            eh_frame_is_right,
            actual: actual.0,
            expected: expected.0,
            order,
            breach: breach(found),
        }
    }
}

impl Class {
    fn from_finding(found: &Finding) -> Class {
        match found.rule() {
            RuleId::RowCfaMatchesTruth | RuleId::CfiCfaDiffers => Class::Field(Aspect::Cfa),
            RuleId::RowRaMatchesTruth | RuleId::CfiRaDiffers => Class::Field(Aspect::Ra),
            RuleId::RowFpMatchesTruth | RuleId::CfiFpDiffers => Class::Field(Aspect::Fp),
            RuleId::RowReadsDeadStack => Class::Field(found.evidence.field),
            rule => Class::Rule(rule),
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Class::Field(field) => field.fmt(out),
            Class::Rule(rule) => rule.fmt(out),
        }
    }
}

impl fmt::Display for FieldForm {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |abi: &Abi, reg: &Reg| abi.register_name(*reg).unwrap_or_else(|| reg.to_string());
        match self {
            FieldForm::None => Ok(()),
            FieldForm::Same => out.write_str("same"),
            FieldForm::Undefined => out.write_str("undefined"),
            FieldForm::Unspecified => out.write_str("none"),
            FieldForm::Expression => out.write_str("expression"),
            FieldForm::Elsewhere => out.write_str("elsewhere"),
            FieldForm::Register(abi, reg) => out.write_str(&name(abi, reg)),
            FieldForm::Memory(abi, reg) => write!(out, "[{}]", name(abi, reg)),
            FieldForm::CfaPlus => out.write_str("cfa"),
            FieldForm::AtCfa => out.write_str("[cfa]"),
        }
    }
}

/// Message of a breach of a linking rule, without the names of functions, whose number may change.
fn breach(found: &Finding) -> String {
    if found.rule().group() == RuleGroup::Link { found.shape_of_any().to_owned() } else { String::new() }
}

fn value(values: &Values, field: Aspect) -> Option<u64> {
    match field {
        Aspect::Cfa => values.cfa,
        Aspect::Ra => values.ra,
        Aspect::Fp => values.fp,
        Aspect::Registers | Aspect::Structure | Aspect::Coverage => None,
    }
}

/// FieldForm of one field of a row, and its number.
fn term(values: Option<&Values>, field: Aspect) -> (FieldForm, Option<i64>) {
    let Some(row) = values.and_then(|values| values.row.equations()) else { return (FieldForm::None, None) };
    let home = match field {
        Aspect::Cfa => {
            return match row.cfa {
                CfaRule::Register { reg, offset } => (FieldForm::Register(row.abi, reg), Some(offset)),
                CfaRule::Memory { reg, offset } => (FieldForm::Memory(row.abi, reg), Some(offset)),
                CfaRule::Expression(_) => (FieldForm::Expression, None),
                CfaRule::Unspecified => (FieldForm::Unspecified, None),
            };
        }
        Aspect::Ra => row.ra,
        Aspect::Fp => row.fp,
        Aspect::Registers | Aspect::Structure | Aspect::Coverage => return (FieldForm::None, None),
    };
    match home {
        Location::Rule(ValueRule::SameValue) => (FieldForm::Same, None),
        Location::Rule(ValueRule::Undefined) => (FieldForm::Undefined, None),
        Location::Rule(ValueRule::AtCfa(offset)) => (FieldForm::AtCfa, Some(offset)),
        Location::Rule(ValueRule::CfaPlus(offset)) => (FieldForm::CfaPlus, Some(offset)),
        Location::Rule(ValueRule::Register { reg, offset }) => (FieldForm::Register(row.abi, reg), Some(offset)),
        Location::Rule(ValueRule::Memory { reg, offset }) => (FieldForm::Memory(row.abi, reg), Some(offset)),
        Location::Rule(ValueRule::Expression(_)) => (FieldForm::Expression, None),
        Location::Elsewhere => (FieldForm::Elsewhere, None),
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use results::{Blame, Finding, Shape, Values};
    use spec::RuleId;
    use types::{Abi, Aspect, CfaRule, Claim, Equations, Location, Reg, ValueRule};

    use super::{Class, FieldForm, Identity};

    const SP: Reg = Reg(7);
    const FP: Reg = Reg(6);

    /// A row of AMD64: the CFA is a register plus an offset, the return address just below it.
    fn row(reg: Reg, offset: i64, fp: ValueRule) -> Values {
        let (cfa, ra) = (CfaRule::Register { reg, offset }, Location::Rule(ValueRule::AtCfa(-8)));
        let row = Equations {
            abi: Abi::Amd64,
            cfa,
            ra,
            fp: Location::Rule(fp),
            sp: None,
            signed_by: None,
            signed_with_pc: false,
            signal: false,
        };
        Values::from_row(Claim::Row(row, None))
    }

    fn finding(rule: RuleId, field: Aspect, sframe: Values, eh_frame: Values) -> Finding {
        let mut found = Finding::new(rule, Blame::Assembler, "", Shape::Rule);
        found.evidence.field = field;
        found.evidence.sframe = Some(sframe);
        found.evidence.eh_frame = Some(eh_frame);
        found
    }

    #[test]
    fn numbers_and_names_may_change_and_nothing_else() {
        let same_fp = |offset| row(SP, offset, ValueRule::SameValue);
        let cfa = |sframe, eh_frame| finding(RuleId::CfiCfaDiffers, Aspect::Cfa, sframe, eh_frame);
        let whole = cfa(same_fp(48), same_fp(8));
        let same = Identity::from_finding(&whole);
        let smaller = cfa(row(SP, 16, ValueRule::AtCfa(-16)), same_fp(8)).about("f");
        assert_eq!(Identity::from_finding(&smaller), same);
        let mut executed = whole.clone();
        executed.evidence.executed = true;
        let no_row = finding(RuleId::CfiFpDiffers, Aspect::Fp, row(SP, 8, ValueRule::AtCfa(-16)), same_fp(8));
        for (why, other) in [
            ("the other way round", cfa(same_fp(8), same_fp(16))),
            ("another base", cfa(row(FP, 16, ValueRule::SameValue), same_fp(8))),
            ("another field", no_row),
            ("a chain", finding(RuleId::ChainMatchesTruth, Aspect::Cfa, same_fp(16), same_fp(8))),
            ("another blame", whole.clone().blamed(Blame::Linker)),
            ("by execution", executed),
        ] {
            assert_ne!(Identity::from_finding(&other), same, "{why}");
        }
    }

    #[test]
    fn the_tables_alike_are_another_fault_than_sframe_alone() {
        let with = |eh_frame_fp| {
            let saved = row(SP, 16, ValueRule::AtCfa(-16));
            let same = row(SP, 16, ValueRule::SameValue);
            let eh_frame = Values { fp: Some(eh_frame_fp), ..same.clone() };
            let mut found = finding(RuleId::RowFpMatchesTruth, Aspect::Fp, saved, eh_frame);
            found.evidence.truth = Some(Values { fp: Some(7), ..same });
            found
        };
        assert_ne!(Identity::from_finding(&with(7)), Identity::from_finding(&with(9)));
    }

    #[test]
    fn a_breach_of_linking_is_what_it_says_of_whatever_functions() {
        let breach =
            |shape: Shape| Identity::from_finding(&Finding::new(RuleId::LinkConserved, Blame::Linker, "", shape));
        let functions = |what: &str, names: &[&str]| Shape::Functions {
            what: Some(what.to_owned()),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
        };
        assert_eq!(breach(functions("missing", &["two", "two_leaf"])), breach(functions("missing", &["one"])));
        for (one, other) in [
            (Shape::from("missing: no section"), functions("missing", &["two"])),
            (Shape::from("missing: unreadable"), functions("missing", &["two"])),
            (functions("differs", &["two"]), functions("missing", &["two"])),
            (Shape::from("killed by signal 11"), Shape::from("refused")),
        ] {
            assert_ne!(breach(one.clone()), breach(other.clone()), "{one}, {other}");
        }
    }

    #[test]
    fn a_relation_says_which_is_larger() {
        let row = |offset| {
            let cfa = CfaRule::Register { reg: Reg(15), offset };
            let same = Location::Rule(ValueRule::SameValue);
            let row = Equations {
                abi: Abi::S390x,
                cfa,
                ra: same,
                fp: same,
                sp: None,
                signed_by: None,
                signed_with_pc: false,
                signal: false,
            };
            Values::from_row(Claim::Row(row, None))
        };
        let found = finding(RuleId::CfiCfaDiffers, Aspect::Cfa, row(160), row(164));
        let Identity::Finding(relation) = Identity::from_finding(&found) else { panic!("a finding") };
        let sp = FieldForm::Register(Abi::S390x, Reg(15));
        assert_eq!((relation.actual, relation.expected), (sp, sp));
        assert_eq!(relation.order, Some(Ordering::Less));
        assert_eq!(relation.class, Class::Field(Aspect::Cfa));
    }
}
