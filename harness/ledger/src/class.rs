//! Classes of findings, `cases/found/classes.yaml`: patterns of each root cause, so that a
//! finding is known or new by rule.
//!
//! A finding belongs to a class when assembler, target and symptom are among those of the class and
//! one of its patterns covers the **whole** of the reduced text, line by line. A reduced text has
//! no line that the symptom does without: a text with one more line is new.

use std::collections::BTreeSet;
use std::path::Path;

use results::ToolName;
use toolchain::yaml::{self, YamlError};
use types::Abi;

use super::words::{Word, words};

/// The folder under `cases/` that has them, with reproducers.
pub const TOPIC: &str = "found";

/// A root cause of findings, or a reason why findings are not bugs.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Class {
    /// Its name, kebab-case.
    pub class: String,
    /// Its verdict.
    pub verdict: Judgement,
    /// Assemblers that show it, as far as the version's number goes: `gas@2.40`.
    pub by: Vec<String>,
    /// Targets; empty: all.
    #[serde(default)]
    pub abis: Vec<Abi>,
    /// Symptoms, word for word: a crash by its message.
    pub what: Vec<String>,
    /// Patterns of the whole shortest text; empty if the symptom is enough.
    #[serde(default)]
    pub text: Vec<String>,
    /// Of a wrong class: the entries of `reports/known` that are its cause, one for each project,
    /// by their names. They say why it is wrong.
    #[serde(default)]
    pub entries: Vec<String>,
    /// Of any other: what the assembler does, and why that is not wrong.
    #[serde(default)]
    pub reason: Option<String>,
    /// Of any other verdict: the manual or specification that decides it, and its section.
    #[serde(default)]
    pub clause: Option<String>,
}

impl Class {
    /// What is wrong with it, in a sentence; `None` if it can be used.
    fn complaint(&self) -> Option<&'static str> {
        let reasons = [&self.reason, &self.clause];
        match self.verdict {
            Judgement::Wrong if self.entries.is_empty() => Some("it is wrong, and names no entry of reports/known"),
            Judgement::Wrong if reasons.iter().any(|said| said.is_some()) => {
                Some("it is wrong: its entries have the reason and the clause")
            }
            Judgement::Limit | Judgement::Right if !self.entries.is_empty() => {
                Some("entries of reports/known are for what is wrong")
            }
            Judgement::Limit | Judgement::Right if reasons.iter().any(|said| said.is_none()) => {
                Some("it has no reason, or no clause")
            }
            Judgement::Wrong | Judgement::Limit | Judgement::Right => None,
        }
    }
}

/// Why classes cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ClassError {
    /// Their file cannot be read, or has keys that are not known.
    #[error(transparent)]
    Yaml(#[from] YamlError),
    /// Two have this name.
    #[error("class {0} is there twice")]
    Twice(String),
    /// A class lacks a key, or has one that its verdict does not allow.
    #[error("class {class}: {complaint}")]
    Unsound { class: String, complaint: &'static str },
    /// A pattern is malformed.
    #[error("class {class}: {error}")]
    Pattern { class: String, error: PatternError },
}

/// A text that is not a pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// After `!` or `~` is a mark that no word has.
    #[error("{item}: {mark} is no mark")]
    NoMark { item: String, mark: String },
    /// An item has no name, or one of other characters.
    #[error("{0} is no item of a pattern")]
    NoItem(String),
}

/// The verdict of a class of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    /// The assembler is wrong: a wrong table, a crash, or a refusal without a diagnostic.
    Wrong,
    /// The assembler reports that it omits what the format could express.
    Limit,
    /// The assembler is right.
    Right,
}

impl Judgement {
    /// The word in the table.
    pub const fn name(self) -> &'static str {
        match self {
            Judgement::Wrong => "wrong",
            Judgement::Limit => "limit",
            Judgement::Right => "right",
        }
    }
}

/// The facts of a finding that select its class.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// `gas@2.40`.
    pub assembler: &'a str,
    /// The target of the text.
    pub abi: Abi,
    /// The symptom, as it prints.
    pub what: &'a str,
    /// The shortest text that shows it.
    pub text: &'a str,
}

/// The classes of a file with their patterns.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    classes: Vec<(Class, Vec<Pattern>)>,
}

impl Classes {
    /// Reads `classes.yaml` of a folder.
    ///
    /// # Errors
    /// If it cannot be read, has keys that are not known, names a class twice, or has a class or
    /// a pattern that cannot be used.
    pub fn read(folder: &Path) -> Result<Classes, ClassError> {
        Classes::new(yaml::read(&folder.join("classes.yaml"))?)
    }

    /// Reads the patterns of classes.
    ///
    /// # Errors
    /// If two classes have one name, one lacks a key or has one too many, or a pattern is
    /// malformed.
    pub fn new(classes: Vec<Class>) -> Result<Classes, ClassError> {
        let mut names = BTreeSet::new();
        let mut with_patterns = Vec::new();
        for class in classes {
            if !names.insert(class.class.clone()) {
                return Err(ClassError::Twice(class.class));
            }
            if let Some(complaint) = class.complaint() {
                return Err(ClassError::Unsound { class: class.class, complaint });
            }
            match class.text.iter().map(|text| Pattern::new(text)).collect::<Result<Vec<_>, _>>() {
                Ok(patterns) => with_patterns.push((class, patterns)),
                Err(error) => return Err(ClassError::Pattern { class: class.class, error }),
            }
        }
        Ok(Classes { classes: with_patterns })
    }

    /// Every class that the finding belongs to: one, where the classes are as they should be.
    pub fn matching(&self, found: Evidence<'_>) -> Vec<&Class> {
        let words = words(found.abi, found.text);
        let fits = |(class, patterns): &&(Class, Vec<Pattern>)| {
            class.by.iter().any(|by| ToolName::is_text_a(found.assembler, by))
                && (class.abis.is_empty() || class.abis.contains(&found.abi))
                && class.what.iter().any(|what| what == found.what)
                && (patterns.is_empty() || patterns.iter().any(|pattern| pattern.covers(&words)))
        };
        self.classes.iter().filter(fits).map(|(class, _)| class).collect()
    }

    /// In order of the file.
    pub fn all(&self) -> impl Iterator<Item = &Class> {
        self.classes.iter().map(|(class, _)| class)
    }
}

/// A pattern of words: items with blanks between, each `name|name…` followed by `?`, `*` or `+`, or
/// `...` for any words at all.
///
/// A name matches every word that begins with it: `offset` matches `offset.fp`. `offset!byte~neg`
/// requires the mark `byte` and excludes `neg`. `cfi` is any directive, `any` any word.
#[derive(Clone, Debug)]
struct Pattern(Vec<Item>);

#[derive(Clone, Debug)]
struct Item {
    names: Vec<Name>,
    least: usize,
    many: bool,
}

#[derive(Clone, Debug)]
struct Name {
    name: String,
    with: Vec<String>,
    without: Vec<String>,
}

impl Pattern {
    fn new(text: &str) -> Result<Pattern, PatternError> {
        let items: Result<Vec<Item>, PatternError> = text.split_whitespace().map(Item::new).collect();
        items.map(Pattern)
    }

    fn covers(&self, words: &[Word]) -> bool {
        // Which numbers of words the items so far can have taken.
        let mut taken: BTreeSet<usize> = BTreeSet::from([0]);
        for item in &self.0 {
            let mut after = BTreeSet::new();
            for start in taken {
                let run =
                    words.iter().skip(start).take_while(|word| item.names.iter().any(|name| name.is(word))).count();
                let most = if item.many { run } else { run.min(1) };
                after.extend((item.least..=most).map(|length| start + length));
            }
            taken = after;
        }
        taken.contains(&words.len())
    }
}

impl Item {
    fn new(text: &str) -> Result<Item, PatternError> {
        if text == "..." {
            return Ok(Item { names: vec![Name::new("any")?], least: 0, many: true });
        }
        let (names, least, many) = match text.strip_suffix(['?', '*', '+']) {
            Some(names) if text.ends_with('?') => (names, 0, false),
            Some(names) if text.ends_with('*') => (names, 0, true),
            Some(names) => (names, 1, true),
            None => (text, 1, false),
        };
        let names: Result<Vec<Name>, PatternError> = names.split('|').map(Name::new).collect();
        Ok(Item { names: names?, least, many })
    }
}

impl Name {
    fn new(text: &str) -> Result<Name, PatternError> {
        let end = text.find(['!', '~']).unwrap_or(text.len());
        let (name, mut marks) = text.split_at(end);
        let mut read = Name { name: name.to_owned(), with: Vec::new(), without: Vec::new() };
        while !marks.is_empty() {
            let (sign, rest) = marks.split_at(1);
            let end = rest.find(['!', '~']).unwrap_or(rest.len());
            let (mark, more) = rest.split_at(end);
            if !MARKS.contains(&mark) {
                return Err(PatternError::NoMark { item: text.to_owned(), mark: mark.to_owned() });
            }
            if sign == "!" { &mut read.with } else { &mut read.without }.push(mark.to_owned());
            marks = more;
        }
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(PatternError::NoItem(text.to_owned()));
        }
        Ok(read)
    }

    fn is(&self, word: &Word) -> bool {
        let named = match self.name.as_str() {
            "any" => true,
            "cfi" => !word.name.starts_with("code") && !matches!(word.name.as_str(), "simple" | "next"),
            name => word.name.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')),
        };
        let has = |mark: &String| word.marks.contains(&mark.as_str());
        named && self.with.iter().all(has) && !self.without.iter().any(has)
    }
}

const MARKS: [&str; 7] = ["neg", "zero", "odd", "byte", "short", "wide", "entry"];
