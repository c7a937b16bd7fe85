//! A test in the form of the affected project's test suite, made only from the bundle's data.
//! `None` if the bug cannot be expressed there.

mod dump;
mod gcc;
mod lit;
mod shell;
mod silence;

use results::bundle::{Bundle, Check, Command};

use results::bundle::Filing;

use super::script;
use crate::escape::{self, one_line};

/// A test file.
pub(super) struct Test {
    /// Name in the bundle's directory.
    pub(super) name: &'static str,
    /// The suite whose form the test has, to end a sentence with.
    pub(super) form: &'static str,
    pub(super) text: String,
}

/// The test, if there is one.
pub(super) fn test(filing: &Filing) -> Option<Test> {
    let bundle = &filing.bundle;
    let source = || filing.texts.first().map(String::as_str);
    let (name, form, text) = match (bundle.culprit.name.as_str(), &bundle.check) {
        ("GNU as", Check::Silence { functions }) => {
            ("test.exp", "For gas/testsuite, beside its source:", silence::of_gas(bundle, *functions)?)
        }
        ("GNU as", _) => {
            ("test.d", "For gas/testsuite, run by run_dump_test, beside its source:", dump::of_gas(bundle)?)
        }
        ("GNU ld", _) => {
            let functions = filing.texts.iter().map(|text| text.matches(".cfi_startproc").count()).sum();
            ("test.d", "For ld/testsuite, run by run_dump_test, beside its sources:", dump::of_ld(bundle, functions)?)
        }
        ("GCC", _) => ("test.c", "For gcc.target in gcc/testsuite:", gcc::of_gcc(bundle, source()?)?),
        ("clang", _) => {
            let (name, text) = lit::of_clang(bundle, source()?)?;
            (name, "For lit:", text)
        }
        ("LLVM lld", _) => ("test.s", "For lit:", lit::of_lld(filing)?),
        ("mold", _) => ("test.sh", "For test in mold, beside its common.inc:", shell::of_mold(filing)?),
        ("wild", _) => ("test.sh", "In the form of mold's tests, which wild runs too:", shell::of_mold(filing)?),
        ("GNU gold", _) => ("test.sh", "For gold/testsuite, beside its sources:", shell::of_gold(filing)?),
        _ => return None,
    };
    Some(Test { name, form, text })
}

/// The options of a command in shell syntax, without input and output.
fn options(bundle: &Bundle, command: &Command) -> String {
    let mut words = Vec::new();
    let mut given = command.words.iter();
    while let Some(word) = given.next() {
        if word == "-o" {
            given.next();
        } else if !is_file(bundle, word) && !["-c", "-S"].contains(&word.as_str()) {
            words.push(escape::shell(&script::with_version(bundle, word)));
        }
    }
    words.join(" ")
}

fn is_file(bundle: &Bundle, word: &String) -> bool {
    bundle.sources.iter().any(|source| source.name == *word)
        || bundle.commands.iter().any(|made| output(made) == Some(word))
}

/// The argument of `-o`.
fn output(command: &Command) -> Option<&String> {
    command.words.iter().skip_while(|word| *word != "-o").nth(1)
}

/// A regular expression without anchors, and the expression for the rest of the line.
fn unanchored(expression: &str) -> (String, &'static str) {
    let expression = one_line(expression);
    let core = expression.strip_prefix('^').unwrap_or(&expression);
    match core.strip_suffix('$').filter(|core| !core.ends_with('\\')) {
        Some(core) => (core.to_owned(), ""),
        None => (core.to_owned(), ".*"),
    }
}

/// A regular expression that matches any of these texts.
fn any(wrong: &str, or: &[String]) -> String {
    let all: Vec<String> = [wrong].into_iter().chain(or.iter().map(String::as_str)).map(literal).collect();
    if or.is_empty() { all.concat() } else { format!("(?:{})", all.join("|")) }
}

/// A regular expression that matches exactly this text.
fn literal(text: &str) -> String {
    let special = |c: char| r"\.^$*+?()[]{}|".contains(c);
    one_line(text).chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}
