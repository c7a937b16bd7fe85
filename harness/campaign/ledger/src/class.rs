//! Classes of findings, `cases/found/classes.yaml`: patterns for each root cause, so that findings
//! are classified as known or new by rule.
//!
//! A finding belongs to a class if assembler, target and symptom are among those of the class and
//! one of its patterns matches **all** lines of the reduced text. Reduction leaves only lines that
//! the symptom needs: a text with one more line is another cause.

use std::collections::BTreeSet;
use std::path::Path;

use results::ToolName;
use toolchain::yaml::{self, YamlError};
use types::Abi;

use super::words::{Word, words};

/// Folder of the classes under `cases/`, with reproducers.
pub const TOPIC: &str = "found";

/// A root cause of findings, or a reason why they are not bugs.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Class {
    /// Name, kebab-case.
    pub class: String,
    pub verdict: Judgement,
    /// Assemblers that show it, with a prefix of the version: `gas@2.40`.
    pub by: Vec<String>,
    /// Targets; empty for all.
    #[serde(default)]
    pub abis: Vec<Abi>,
    /// Symptoms, verbatim; for a crash its message.
    pub what: Vec<String>,
    /// Patterns of the complete reduced text; empty if the symptom suffices.
    #[serde(default)]
    pub text: Vec<String>,
    /// For the verdict `wrong`: names of the entries of `reports/known` that are the cause, one for
    /// each project. They contain the reason.
    #[serde(default)]
    pub entries: Vec<String>,
    /// For other verdicts: the assembler's behaviour, and why it is not wrong.
    #[serde(default)]
    pub reason: Option<String>,
    /// For other verdicts: the section of a manual or specification that allows the behaviour.
    #[serde(default)]
    pub clause: Option<String>,
}

impl Class {
    /// The error in the class, as a sentence; `None` if it is valid.
    fn complaint(&self) -> Option<&'static str> {
        let reasons = [&self.reason, &self.clause];
        match self.verdict {
            Judgement::Wrong if self.entries.is_empty() => {
                Some("its verdict is wrong, but it names no entry of reports/known")
            }
            Judgement::Wrong if reasons.iter().any(|reason| reason.is_some()) => {
                Some("its verdict is wrong: reason and clause belong in its entries")
            }
            Judgement::Limit | Judgement::Right if !self.entries.is_empty() => {
                Some("it names entries of reports/known, but its verdict is not wrong")
            }
            Judgement::Limit | Judgement::Right if reasons.iter().any(|reason| reason.is_none()) => {
                Some("its verdict is not wrong: it needs a reason and a clause")
            }
            Judgement::Wrong | Judgement::Limit | Judgement::Right => None,
        }
    }
}

/// Errors of the classes.
#[derive(Debug, thiserror::Error)]
pub enum ClassError {
    /// The file cannot be read, or has unknown keys.
    #[error(transparent)]
    Yaml(#[from] YamlError),
    /// Two classes have this name.
    #[error("class {0} is defined twice")]
    Twice(String),
    /// A class lacks a key, or has one that its verdict does not allow.
    #[error("class {class}: {complaint}")]
    Unsound { class: String, complaint: &'static str },
    /// A pattern is malformed.
    #[error("class {class}: {error}")]
    Pattern { class: String, error: PatternError },
}

/// An error in a pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// An unknown mark after `!` or `~`.
    #[error("{item}: unknown mark {mark}")]
    NoMark { item: String, mark: String },
    /// An item without a name, or with a character that names do not have.
    #[error("{0} is not an item of a pattern")]
    NoItem(String),
}

/// Verdict of a class of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    /// The assembler is wrong: a wrong table, a crash, or a refusal without a diagnostic.
    Wrong,
    /// The assembler reports that it omits a function that the format could express.
    Limit,
    /// The assembler is right.
    Right,
}

impl Judgement {
    /// Name in the table.
    pub const fn name(self) -> &'static str {
        match self {
            Judgement::Wrong => "wrong",
            Judgement::Limit => "limit",
            Judgement::Right => "right",
        }
    }
}

/// Properties of a finding that determine its class.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// Assembler: `gas@2.40`.
    pub assembler: &'a str,
    /// Target of the text.
    pub abi: Abi,
    /// Symptom, as printed.
    pub what: &'a str,
    /// Reduced text.
    pub text: &'a str,
}

/// The classes of a file, with compiled patterns.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    classes: Vec<(Class, Vec<Pattern>)>,
}

impl Classes {
    /// Reads `classes.yaml` of a folder.
    ///
    /// # Errors
    /// It cannot be read, has unknown keys, contains a class twice, or has an invalid class or
    /// pattern.
    pub fn read(folder: &Path) -> Result<Classes, ClassError> {
        Classes::new(yaml::read(&folder.join("classes.yaml"))?)
    }

    /// Compiles the patterns of classes.
    ///
    /// # Errors
    /// Two classes have the same name, one lacks a key or has an excess one, or a pattern is
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

    /// Every class that the finding belongs to; exactly one if the classes are disjoint and
    /// complete.
    pub fn matching(&self, found: Evidence<'_>) -> Vec<&Class> {
        let words = words(found.abi, found.text);
        let fits = |(class, patterns): &&(Class, Vec<Pattern>), name: &str| {
            class.by.iter().any(|by| ToolName::is_text_a(name, by))
                && (class.abis.is_empty() || class.abis.contains(&found.abi))
                && class.what.iter().any(|what| what == found.what)
                && (patterns.is_empty() || patterns.iter().any(|pattern| pattern.covers(&words)))
        };
        let of = |name: &String| -> Vec<&Class> {
            self.classes.iter().filter(|class| fits(class, name)).map(|(class, _)| class).collect()
        };
        self.names(found.assembler).iter().map(of).find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// An assembler; one of a version between two that classes name as the later and the earlier of
    /// them: it may have the bugs of either.
    fn names(&self, assembler: &str) -> Vec<String> {
        let own = vec![assembler.to_owned()];
        let Ok(tool) = assembler.parse::<ToolName>() else { return own };
        let plain = tool.without_day().version;
        let named = self.all().flat_map(|class| &class.by).filter_map(|by| by.parse::<ToolName>().ok());
        let recorded: Vec<ToolName> = named.filter(|by| by.name == tool.name).collect();
        let (older, newer): (Vec<_>, Vec<_>) = recorded.iter().partition(|by| plain.at_least(&by.version));
        let before = older.into_iter().max_by(|one, other| one.version.cmp_numbers(&other.version));
        let after = newer.into_iter().min_by(|one, other| one.version.cmp_numbers(&other.version));
        match (before, after) {
            (Some(before), Some(after)) if !tool.is_a(before) => vec![after.to_string(), before.to_string()],
            _ => own,
        }
    }

    /// All classes, in the order of the file.
    pub fn all(&self) -> impl Iterator<Item = &Class> {
        self.classes.iter().map(|(class, _)| class)
    }
}

/// A pattern of words: items separated by blanks, each `name|name…` followed by `?`, `*` or `+`, or
/// `...` for any sequence of words.
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
        // Numbers of words that the items so far can match.
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
