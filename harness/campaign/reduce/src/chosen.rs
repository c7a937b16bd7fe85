//! Chooses what is reduced for a trial: the finding, the text, and the form.

use results::{Blame, Finding};
use spec::RuleGroup;
use types::Aspect;

use super::bench::{Bench, BenchError, Form};
use super::identity::Identity;

/// A finding ready to be reduced.
#[derive(Debug)]
pub struct Chosen {
    /// Bench that tests texts.
    pub bench: Bench,
    /// Original text.
    pub text: String,
    /// Identity of the finding, which must stay the same.
    pub identity: Identity,
    /// How the form or text was simplified; for people.
    pub notes: Vec<String>,
}

/// Chooses a finding of a text: the one with a fingerprint, else the most specific one; or the
/// failure of a tool.
///
/// An assembler's bug in a compiled program is searched for in the compiler's output, and one that
/// the object alone shows is reduced there, without linking. A finding of execution stays one: it
/// is reduced in the linked program if exploring the object does not show it.
pub fn choose(bench: Bench, text: String, fingerprint: Option<&str>) -> Result<Chosen, BenchError> {
    let seen = bench.observe(&text)?;
    let none = |what: &str| BenchError::NoSource(format!("{}: {what}", bench.key()));
    let found = match fingerprint {
        Some(wanted) => {
            let found = seen.fingerprinted(wanted);
            Some(found.ok_or_else(|| none(&format!("no finding {wanted}; it shows {}", seen.listed())))?)
        }
        None => seen.foremost(),
    };
    let (identity, found) = match (found, seen.failure()) {
        (Some(found), _) if found.rule().group() != RuleGroup::Build => (Identity::from_finding(found), Some(found)),
        (_, Some(printed)) => (Identity::from_failure(printed), None),
        (_, None) => return Err(none("nothing is wrong")),
    };
    let mut chosen = Chosen { bench, text, identity, notes: Vec::new() };
    let compilers = chosen.identity.blame() == Some(Blame::Compiler);
    if let (false, Some((bench, text))) = (compilers, chosen.bench.compiled(&chosen.text)?) {
        chosen.change(bench, text, found, "in the compiler's assembly")?;
    }
    let linkers = chosen.identity.blame() == Some(Blame::Linker);
    if chosen.bench.form() == Form::Linked && !linkers && !compilers {
        // A finding shown by execution stays so: the report then has the truth beside the tables.
        let (form, note) = match found.is_some_and(|found| found.evidence.executed) {
            true => (Form::Explored, "in the object alone, executed"),
            false => (Form::Object, "in the object alone"),
        };
        let (plain, text) = chosen.bench.again(&chosen.text)?;
        chosen.change(plain.in_form(form), text, found, note)?;
    }
    // A cut that removes a directive would accuse the tool of what the source then lacks.
    if let (Some(Blame::Assembler), false) = (chosen.identity.blame(), chosen.bench.is_c()) {
        let unproven = chosen.bench.with_unproven_directives(&chosen.text)?;
        if unproven.observe(&chosen.text)?.shows(&chosen.identity) {
            chosen.bench = unproven;
        }
    }
    Ok(chosen)
}

impl Chosen {
    /// Switches to another bench if the finding also shows there.
    fn change(&mut self, bench: Bench, text: String, found: Option<&Finding>, note: &str) -> Result<(), BenchError> {
        let seen = bench.observe(&text)?;
        let identity = match (&self.identity, found) {
            (Identity::Finding(_), Some(found)) => seen
                .finding(&self.identity)
                .or_else(|| seen.findings.iter().find(|other| is_face_of(found, other)))
                .map(Identity::from_finding),
            (failure, _) => seen.shows(failure).then(|| failure.clone()),
        };
        let is_executed = |identity: &Identity| matches!(identity, Identity::Finding(relation) if relation.executed);
        if let Some(identity) = identity.filter(|identity| bench.form() != Form::Explored || is_executed(identity)) {
            self.notes.push(note.to_owned());
            (self.bench, self.text, self.identity) = (bench, text, identity);
        }
        Ok(())
    }
}

/// Returns true if a finding is the same bug seen in another form: of the same kind, and in the
/// same function if it is about one; or about the same rows, because a wrong CFA alone may make the
/// execution fail in its effects.
fn is_face_of(found: &Finding, other: &Finding) -> bool {
    let alike = Identity::from_finding(found).is_like(&Identity::from_finding(other));
    let same_rows = !found.what().is_empty() && found.what() == other.what() && found.blame() == other.blame();
    (alike || same_rows) && (found.evidence.field == Aspect::Structure || found.function() == other.function())
}

#[cfg(test)]
mod tests {
    use results::{Blame, Finding, Shape};
    use spec::RuleId;
    use types::Aspect;

    use super::is_face_of;

    fn finding(rule: RuleId, field: Aspect, function: &str, shape: &str) -> Finding {
        let mut found = Finding::new(rule, Blame::Assembler, function, Shape::from(shape));
        found.evidence.field = field;
        found
    }

    #[test]
    fn another_function_s_fault_of_the_same_kind_is_another_fault() {
        let rows = "cfa=rsp+8 ra=[cfa-8] | cfa=r11+8 ra=[cfa-8]";
        let ra = |function, shape| finding(RuleId::CfiRaDiffers, Aspect::Ra, function, shape);
        let cfa = |function, shape| finding(RuleId::CfiCfaDiffers, Aspect::Cfa, function, shape);
        let executed = finding(RuleId::RowRaMatchesTruth, Aspect::Ra, "f", rows);
        for (other, expected) in [
            (ra("f", "other rows"), true),
            (cfa("f", rows), true),
            (cfa("f", "other rows"), false),
            (ra("_start", "other rows"), false),
            (ra("_start", rows), false),
            (cfa("f", rows).blamed(Blame::Linker), false),
        ] {
            assert_eq!(is_face_of(&executed, &other), expected, "{other:?}");
        }
        // A breach of the section's structure is not about a function.
        let structure = |rule, function| finding(rule, Aspect::Structure, function, "");
        let broken = structure(RuleId::FdeOverlap, "0x401000");
        assert!(is_face_of(&broken, &structure(RuleId::FdeOverlap, "f")));
        assert!(!is_face_of(&broken, &structure(RuleId::FdePadding, "f")));
    }
}
