//! From a trial to what is reduced: which finding, on which text, in which form.

use reports::results::FindingLine;

use super::bench::{Bench, BenchError, Form};
use super::identity::Identity;

/// A finding ready to be reduced.
#[derive(Debug)]
pub struct Chosen {
    /// Where texts are tried.
    pub bench: Bench,
    /// The text as it is.
    pub text: String,
    /// What must stay.
    pub identity: Identity,
    /// How the form or text was changed to make it plainer; for people.
    pub notes: Vec<String>,
}

/// Chooses a finding of a text: that of a fingerprint, else the one that says most; or the failure of a tool.
///
/// An assembler's fault in a compiled program is looked for in what the compiler wrote, and one that the object alone shows is reduced
/// there, without linking or running: there `.eh_frame` is the measure.
///
/// # Errors
/// When there is no such finding.
pub fn choose(bench: Bench, text: String, fingerprint: Option<&str>) -> Result<Chosen, BenchError> {
    let seen = bench.judge(&text)?;
    let none = |what: &str| BenchError::NoSource(format!("{}: {what}", bench.key()));
    let found = match fingerprint {
        Some(wanted) => {
            let found = seen.fingerprinted(wanted);
            Some(found.ok_or_else(|| none(&format!("no finding {wanted}; it shows {}", seen.listed())))?)
        }
        None => seen.foremost(),
    };
    let (identity, function) = match (found, seen.failure()) {
        (Some(found), _) if !found.rule.starts_with("build/") => (Identity::of(found), found.function.clone()),
        (_, Some(told)) => (Identity::of_failure(told), String::new()),
        (_, None) => return Err(none("nothing is wrong")),
    };
    let mut chosen = Chosen { bench, text, identity, notes: Vec::new() };
    let (_, blame) = chosen.identity.class();
    let compilers = blame == "compiler";
    if let (false, Some((bench, text))) = (compilers, chosen.bench.of_compiled(&chosen.text)?) {
        chosen.change(bench, text, &function, "in the compiler's assembly")?;
    }
    let linkers = matches!(&chosen.identity, Identity::Finding(relation) if relation.blame == "linker");
    if chosen.bench.form() == Form::Linked && !linkers && !compilers {
        let (plain, text) = chosen.bench.again(&chosen.text)?;
        chosen.change(plain.in_form(Form::Object), text, &function, "in the object alone")?;
    }
    Ok(chosen)
}

impl Chosen {
    /// Goes over to another bench where the same kind of fault shows there, in the same function if it shows in several.
    fn change(&mut self, bench: Bench, text: String, function: &str, note: &str) -> Result<(), BenchError> {
        let seen = bench.judge(&text)?;
        let identity = match &self.identity {
            failure @ Identity::Failure(_) => seen.shows(failure).then(|| failure.clone()),
            finding => {
                let alike = |found: &&FindingLine| Identity::of(found).class() == finding.class();
                let same = seen.finding(finding);
                let mut alike = seen.findings.iter().filter(alike);
                let named = alike.clone().find(|found| found.function == function);
                same.or(named).or(alike.next()).map(Identity::of)
            }
        };
        if let Some(identity) = identity {
            self.notes.push(note.to_owned());
            (self.bench, self.text, self.identity) = (bench, text, identity);
        }
        Ok(())
    }
}
