//! The directives of a source: the comment lines before its first line of code.

/// Directives of every source, beside those of the test that walks the folder.
const KEYS: [&str; 4] = ["also", "as", "link", "target"];

/// The directives of a source.
#[derive(Debug)]
pub(super) struct Directives {
    /// What holds unless a case has its own.
    all: Case,
    /// The cases, at least one.
    pub(super) cases: Vec<Case>,
}

/// A variant of a source, with what is expected of it.
#[derive(Debug, Default)]
pub(super) struct Case {
    /// Its name; empty if the source has one case.
    pub(super) name: String,
    /// How it is built and tested: key and text.
    settings: Vec<(String, String)>,
    /// Texts for names in the code.
    values: Vec<(String, String)>,
    /// Lines of the outcome.
    pub(super) expected: Vec<String>,
    /// Index of the line that `expect:` follows.
    last: usize,
}

impl Directives {
    /// Parses the comment lines at the top of a text. `keys` are directives of the walking test.
    pub(super) fn parse(text: &str, keys: &[&str]) -> Result<Directives, String> {
        let (mut all, mut cases) = (Case::default(), Vec::<Case>::new());
        let mut purpose = String::new();
        for (index, line) in header(text).enumerate() {
            let at_line = |problem: &str| format!("line {}: {problem}: {line}", index + 1);
            let (key, value) = line.split_once(':').map_or(("", line), |(key, value)| (key, value.trim()));
            let in_cases = !cases.is_empty();
            let case = cases.last_mut().unwrap_or(&mut all);
            match key.split_once(' ').unwrap_or((key, "")) {
                ("expect", "") => case.expected.push(value.to_owned()),
                ("case", "") => cases.push(Case { name: value.to_owned(), last: index, ..Case::default() }),
                ("with", name) if !name.contains(' ') => {
                    case.values.push((name.to_owned(), value.to_owned()));
                    case.last = index;
                }
                (key, "") if KEYS.contains(&key) || keys.contains(&key) => {
                    case.settings.push((key.to_owned(), value.to_owned()));
                    case.last = index;
                }
                _ if line.is_empty() => {}
                _ if !in_cases && case.settings.is_empty() && case.values.is_empty() => {
                    purpose += line;
                    case.last = index;
                }
                _ => return Err(at_line("no directive")),
            }
        }
        if !purpose.ends_with('.') {
            return Err("its first lines are no sentence that states its purpose".to_owned());
        }
        if cases.is_empty() {
            cases.push(Case { last: all.last, expected: std::mem::take(&mut all.expected), ..Case::default() });
        } else if !all.expected.is_empty() {
            return Err("`expect:` before the first case".to_owned());
        }
        Ok(Directives { all, cases })
    }

    pub(super) fn setting<'a>(&'a self, case: &'a Case, key: &str) -> Option<&'a str> {
        let mut settings = case.settings.iter().chain(&self.all.settings);
        settings.find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// The source of a case: `text` with its values.
    pub(super) fn code(&self, case: &Case, text: &str) -> Result<String, String> {
        let is_own = |name: &str| case.values.iter().any(|(own, _)| own == name);
        let of_all = self.all.values.iter().filter(|(name, _)| !is_own(name));
        let mut code = text.to_owned();
        for (name, value) in case.values.iter().chain(of_all) {
            let place = format!("{{{name}}}");
            if !code.contains(&place) {
                return Err(format!("{place} is not in the code"));
            }
            code = code.replace(&place, value);
        }
        Ok(code)
    }

    /// The text with other lines `expect:`, one list a case.
    pub(super) fn with_expected(&self, text: &str, expected: &[Vec<String>]) -> String {
        let header = header(text).count();
        let mut lines = Vec::new();
        for (index, line) in text.lines().enumerate() {
            if index >= header || !line.starts_with("# expect:") {
                lines.push(line.to_owned());
            }
            for (_, expected) in self.cases.iter().zip(expected).filter(|(case, _)| case.last == index) {
                lines.extend(expected.iter().map(|line| format!("# expect: {line}")));
            }
        }
        lines.join("\n") + "\n"
    }
}

/// The comment lines before the code, without their mark.
fn header(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim)
}
