//! A link recipe as parts: the files that it makes and uses, the options of its steps, and the
//! lines of its sources.
//!
//! A removed file also removes the steps that then have no input, and the recipe's expectations of
//! it. Other expectations stay if the finding needs them: `bare` removes all except the runs, or
//! the names of functions alone.

use std::collections::{BTreeMap, BTreeSet};

use matrix::case::Least;
use matrix::link::{Expectations, LinkCase, Recipe};
use types::Abi;

use results::bundle::{Size, Unit};

use super::parts::{Cut, Files, Parts, Set};
use super::text::{Language, Text};

#[derive(Clone, Debug)]
pub struct Linking {
    /// Steps and expectations.
    pub recipe: Recipe,
    /// Sources for one target, by name in the recipe's folder.
    pub texts: BTreeMap<String, Text>,
    /// Other files (linker scripts), by name.
    pub others: Files,
    abi: Abi,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// An object, or the output of a step.
    File(String),
    /// Options of the step with this index.
    Options(usize),
    /// Arguments for the assembler.
    Flags(String),
    /// A line of a source.
    Line(String, usize),
}

impl Linking {
    /// A case for a target; `read` reads sources by their names in its folder.
    pub fn from_case<E>(case: &LinkCase, abi: Abi, read: impl Fn(&str) -> Result<Vec<u8>, E>) -> Result<Linking, E> {
        let mut recipe = case.recipe.clone();
        for run in &mut recipe.expect.runs {
            // The case's minimum is irrelevant: the finding itself must be reached.
            (run.least, run.exit) = (Least::default(), None);
        }
        let mut linking = Linking { recipe, texts: BTreeMap::new(), others: Files::new(), abi };
        let language = Language { abi, is_c: false };
        for object in linking.recipe.objects.values() {
            let name = linking.source(&object.source);
            let text = Text::new(&String::from_utf8_lossy(&read(&name)?), language);
            linking.texts.insert(name, text);
        }
        for name in linking.recipe.files.values() {
            linking.others.insert(name.clone(), read(name)?);
        }
        linking.forget_what_is_gone();
        Ok(linking)
    }

    /// File name of a source of the recipe.
    pub(super) fn source(&self, source: &str) -> String {
        format!("{source}.{}.s", self.abi.facts().family)
    }

    /// Number of sections in its sources that are members of a group.
    pub(super) fn groups(&self) -> usize {
        let lines = self.texts.values().flat_map(|text| &text.lines);
        lines.filter(|line| line.contains(".section") && line.contains(",comdat")).count()
    }

    /// Sources and other files, by name in the recipe's folder.
    pub fn files(&self) -> Files {
        let texts = self.texts.iter().map(|(name, text)| (name.clone(), text.to_string().into_bytes()));
        texts.chain(self.others.clone()).collect()
    }

    fn parts(&self) -> Vec<Part> {
        let made = self.recipe.steps.iter().map(|step| &step.make);
        let mut parts: Vec<Part> = self.recipe.objects.keys().chain(made).cloned().map(Part::File).collect();
        let steps = self.recipe.steps.iter().enumerate();
        let has_options = steps.filter(|(_, step)| !step.options.is_empty() || !step.options_for.is_empty());
        parts.extend(has_options.map(|(at, _)| Part::Options(at)));
        let flagged = self.recipe.objects.iter().filter(|(_, object)| !object.flags.is_empty());
        parts.extend(flagged.map(|(name, _)| Part::Flags(name.clone())));
        parts.extend(
            self.texts.iter().flat_map(|(name, text)| (0..text.len()).map(|line| Part::Line(name.clone(), line))),
        );
        parts
    }

    /// Removes a file, and everything made from it alone.
    fn drop_file(&mut self, name: &str) {
        let recipe = &mut self.recipe;
        recipe.objects.remove(name);
        recipe.steps.retain(|step| step.make != name);
        let mut here: BTreeSet<String> = recipe.objects.keys().cloned().collect();
        recipe.steps.retain_mut(|step| {
            step.from.retain(|input| here.contains(input));
            !step.from.is_empty() && here.insert(step.make.clone())
        });
    }

    /// Removes unused data: expectations of removed files, and texts of removed objects.
    fn forget_what_is_gone(&mut self) {
        let recipe = &mut self.recipe;
        let objects = recipe.objects.keys().cloned();
        let here: BTreeSet<String> = objects.chain(recipe.steps.iter().map(|step| step.make.clone())).collect();
        let is_here = |name: &String| here.contains(name);
        let Expectations {
            runs,
            describes,
            gone,
            controls,
            relinked,
            any_order,
            collected,
            same_bytes,
            keeps_bytes,
            discarded,
            mixes,
            overflows,
            silent,
            sizes,
        } = &mut recipe.expect;
        runs.retain(|run| is_here(&run.file));
        describes.retain(|name, _| is_here(name));
        gone.retain(|name, _| is_here(name));
        for pairs in [controls, relinked, any_order, collected, same_bytes, keeps_bytes] {
            pairs.retain(|(one, other)| is_here(one) && is_here(other));
        }
        for names in [discarded, mixes, overflows, silent, sizes] {
            names.retain(is_here);
        }
        let is_named = |name: &String| {
            let word = format!("{{{name}}}");
            recipe.steps.iter().any(|step| {
                step.options.contains(&word) || step.options_for.values().any(|options| options.contains(&word))
            })
        };
        let unnamed: Vec<String> = recipe.files.keys().filter(|name| !is_named(name)).cloned().collect();
        for name in unnamed {
            recipe.files.remove(&name);
        }
        let sources: BTreeSet<String> =
            self.recipe.objects.values().map(|object| self.source(&object.source)).collect();
        self.texts.retain(|name, _| sources.contains(name));
        let files: BTreeSet<&String> = self.recipe.files.values().collect();
        self.others.retain(|name, _| files.contains(name));
    }

    /// Returns true if every function that is expected in an output is in a source: otherwise its
    /// absence is an effect of the cut, not a bug of a tool.
    fn has_what_it_expects(&self) -> bool {
        let expect = &self.recipe.expect;
        let mut named = expect.describes.values().chain(expect.gone.values()).flatten();
        let labels: BTreeSet<&str> = self
            .texts
            .values()
            .flat_map(|text| &text.lines)
            .filter_map(|line| Some(line.split_once(':')?.0.trim()))
            .collect();
        named.all(|name| labels.contains(name.as_str()))
    }

    /// Returns true if no described function lost its name, because the judge of links identifies
    /// functions by their symbols; and if no function expected to be described lost its directives.
    fn describes_as(&self, whole: &Linking) -> bool {
        let named = |linking: &Linking| -> (BTreeSet<String>, usize) {
            let all = linking.texts.values().map(Text::described);
            all.fold((BTreeSet::new(), 0), |(mut names, count), (more, nameless)| {
                names.extend(more.into_iter().map(str::to_owned));
                (names, count + nameless)
            })
        };
        let ((before, nameless_before), (now, nameless)) = (named(whole), named(self));
        let mut expected = self.recipe.expect.describes.values().flatten();
        nameless <= nameless_before && expected.all(|name| now.contains(name) || !before.contains(name))
    }

    fn numbers(&self, wanted: impl Fn(&Part) -> bool) -> Vec<Set> {
        let parts = self.parts();
        parts.iter().enumerate().filter(|(_, part)| wanted(part)).map(|(at, _)| Set::from([at])).collect()
    }
}

impl Parts for Linking {
    fn size(&self) -> Size {
        let lines = self.texts.values().map(Text::len).sum();
        Size(vec![(self.recipe.steps.len(), Unit::Steps), (self.texts.len(), Unit::Sources), (lines, Unit::Lines)])
    }

    fn len(&self) -> usize {
        self.parts().len()
    }

    fn sets(&self, cut: Cut) -> Vec<Set> {
        match cut {
            Cut::Files => self.numbers(|part| matches!(part, Part::File(_))),
            Cut::Options => self.numbers(|part| matches!(part, Part::Options(_) | Part::Flags(_))),
            _ => {
                let mut first = self.parts().iter().position(|part| matches!(part, Part::Line(..))).unwrap_or(0);
                let mut sets = Vec::new();
                for text in self.texts.values() {
                    let shift = |set: Set| set.into_iter().map(|line| first + line).collect::<Set>();
                    sets.extend(text.sets(cut).into_iter().map(shift));
                    first += text.len();
                }
                sets
            }
        }
    }

    fn without(&self, parts: &Set) -> Option<Linking> {
        let mut less = self.clone();
        let mut lines: BTreeMap<String, Set> = BTreeMap::new();
        for (_, part) in self.parts().into_iter().enumerate().filter(|(at, _)| parts.contains(at)) {
            match part {
                Part::File(name) => less.drop_file(&name),
                // By the index in the whole: removing a file may have removed steps.
                Part::Options(at) => {
                    let make = self.recipe.steps.get(at).map(|step| &step.make);
                    for step in less.recipe.steps.iter_mut().filter(|step| Some(&step.make) == make) {
                        step.options.clear();
                        step.options_for.clear();
                    }
                }
                Part::Flags(name) => {
                    less.recipe.objects.entry(name).and_modify(|object| object.flags.clear());
                }
                Part::Line(name, line) => drop(lines.entry(name).or_default().insert(line)),
            }
        }
        for (name, lines) in lines {
            if let Some(text) = less.texts.get_mut(&name) {
                *text = text.without(&lines)?;
            }
        }
        less.forget_what_is_gone();
        (!less.recipe.steps.is_empty() && less.has_what_it_expects() && less.describes_as(self)).then_some(less)
    }

    fn bare(&self) -> Vec<Linking> {
        let mut plain = self.clone();
        for text in plain.texts.values_mut() {
            *text = text.without_comments();
        }
        let mut bare = plain.clone();
        bare.recipe.expect = Expectations { runs: self.recipe.expect.runs.clone(), ..Expectations::default() };
        let mut unnamed = plain.clone();
        (unnamed.recipe.expect.describes, unnamed.recipe.expect.gone) = (BTreeMap::new(), BTreeMap::new());
        vec![bare, unnamed, plain]
    }

    fn plainer(&self, part: usize) -> Vec<Linking> {
        let mut plainer = Vec::new();
        match self.parts().into_iter().nth(part) {
            // Outputs of a removed step are made from the step's inputs instead.
            Some(Part::File(name)) => {
                let mut less = self.clone();
                let Some(step) = self.recipe.steps.iter().find(|step| step.make == name) else { return plainer };
                less.recipe.steps.retain(|step| step.make != name);
                for other in &mut less.recipe.steps {
                    let inputs = std::mem::take(&mut other.from).into_iter();
                    other.from =
                        inputs.flat_map(|input| if input == name { step.from.clone() } else { vec![input] }).collect();
                }
                less.forget_what_is_gone();
                plainer.extend((!less.recipe.steps.is_empty()).then_some(less));
            }
            Some(Part::Line(name, line)) => {
                for text in self.texts.get(&name).map(|text| text.plainer(line)).unwrap_or_default() {
                    let mut other = self.clone();
                    other.texts.insert(name.clone(), text);
                    plainer.push(other);
                }
            }
            Some(Part::Options(_) | Part::Flags(_)) | None => {}
        }
        plainer
    }

    fn key(&self) -> String {
        format!("{:?} {:?}", self.recipe, self.files())
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::path::PathBuf;

    use types::Abi;

    use super::{Linking, Text};
    use crate::parts::{Cut, Parts as _, Set};
    use matrix::link::LinkCase;

    /// Two objects joined by `ld -r`, which are linked with a third by a script; and stripped.
    fn linking() -> Linking {
        let recipe = serde_json::json!({
            "purpose": "p", "covers": [],
            "objects": {"a": {"source": "src/a"}, "b": {"source": "src/b", "flags": "-x"}, "c": {"source": "src/c"}},
            "files": {"script": "src/some.ld"},
            "steps": [
                {"make": "part", "by": "relocatable", "from": ["a", "b"]},
                {"make": "out", "by": "link", "from": ["part", "c"], "options": "-T {script}"},
                {"make": "bare", "by": "strip", "from": ["out"]},
            ],
            "expect": {
                "runs": [{"file": "out", "exit": 7, "least": {"steps": 9}}],
                "describes": {"out": ["fa", "fc"]}, "gone": {"part": ["fb"]}, "keeps-bytes": [["out", "bare"]],
            },
        });
        let recipe = serde_json::from_value(recipe).expect("a recipe");
        let case = LinkCase { name: "x".to_owned(), folder: PathBuf::new(), recipe };
        let text = |name: &str| match name {
            "src/some.ld" => "SECTIONS {}".to_owned(),
            "src/a.amd64.s" => "fa:\n\tnop # here\n\t.if SFRAME_VERSION == 3\n\t.endif\n".to_owned(),
            other => format!("f{}:\n\tnop\n", &other[4..5]),
        };
        let read = |name: &str| Ok::<_, Infallible>(text(name).into_bytes());
        Linking::from_case(&case, Abi::Amd64, read).expect("infallible")
    }

    /// Without the part at this index.
    fn without(linking: &Linking, nth_file: usize) -> Linking {
        let set = linking.sets(Cut::Files).remove(nth_file);
        linking.without(&set).unwrap_or_else(|| panic!("file {nth_file}"))
    }

    fn steps(linking: &Linking) -> Vec<String> {
        linking.recipe.steps.iter().map(|step| format!("{} of {}", step.make, step.from.join(" "))).collect()
    }

    #[test]
    fn runs_demand_nothing_and_sizes_are_counted() {
        let linking = linking();
        assert_eq!(linking.size().to_string(), "3 steps, 3 sources, 8 lines");
        assert_eq!((linking.recipe.expect.runs[0].exit, linking.recipe.expect.runs[0].least.steps), (None, 0));
    }

    /// Files are a, b, c, part, out, bare.
    #[test]
    fn a_file_that_goes_takes_along_what_nothing_else_feeds() {
        let linking = linking();
        let mut bare = linking.bare().remove(0);
        assert_eq!(steps(&without(&bare, 0)), ["part of b", "out of part c", "bare of out"]);
        assert_eq!(steps(&without(&bare, 3)), ["out of c", "bare of out"], "b's own way goes with the part");
        let last = without(&bare, 4);
        assert_eq!(steps(&last), ["part of a b"]);
        assert!(last.recipe.expect.runs.is_empty() && last.others.is_empty() && last.recipe.files.is_empty());
        assert!(!without(&bare, 0).texts.contains_key("src/a.amd64.s"));
        bare.recipe.steps.truncate(1);
        assert_eq!(bare.without(&Set::from([3])).map(|less| steps(&less)), None, "a recipe without a step is none");
    }

    /// The output of a removed step is replaced by the step's input.
    #[test]
    fn a_step_is_passed_by() {
        let linking = linking();
        let plainer: Vec<Vec<String>> =
            (0..6).flat_map(|part| linking.plainer(part)).map(|less| steps(&less)).collect();
        assert_eq!(
            plainer,
            [
                vec!["out of a b c".to_owned(), "bare of out".to_owned()],
                vec!["part of a b".to_owned(), "bare of part c".to_owned()],
                vec!["part of a b".to_owned(), "out of part c".to_owned()],
            ]
        );
    }

    #[test]
    fn a_function_that_is_expected_stays() {
        let linking = linking();
        let lines = linking.sets(Cut::Lines);
        let label = lines.first().expect("a label");
        assert!(linking.without(label).is_none(), "fa is described by name");
        assert!(linking.bare().iter().take(2).all(|bare| bare.without(&bare.sets(Cut::Lines)[0]).is_some()));
        let plain = linking.bare().remove(2);
        assert_eq!(plain.recipe.expect.describes.len(), 1);
        assert!(plain.texts["src/a.amd64.s"].to_string().contains("\tnop\n"), "comments go");
    }

    #[test]
    fn a_function_that_is_described_keeps_its_name_and_its_directives() {
        let mut linking = linking().bare().remove(2);
        let language = linking.texts["src/a.amd64.s"].language;
        let text = "fa:\n\t.cfi_startproc\n\tnop\n\t.cfi_endproc\nother:\n\t.cfi_startproc\n\tnop\n\t.cfi_endproc\n";
        linking.texts.insert("src/a.amd64.s".to_owned(), Text::new(text, language));
        let first = linking.parts().iter().position(|part| matches!(part, super::Part::Line(..))).expect("lines");
        let less = |lines: &[usize]| linking.without(&lines.iter().map(|line| first + line).collect());
        assert!(less(&[1, 3]).is_none(), "fa is expected to be described");
        assert!(less(&[4]).is_none(), "the second would be described without a name");
        let conditional = Text::new(
            ".ifdef A\nx:\n.else\ny:\n.endif\n.cfi_startproc\nnop\n.ifdef A\nz:\n.endif\n.cfi_startproc\n",
            language,
        );
        assert_eq!(conditional.described(), (["x", "y"].into(), 1));
        let conditional = Text::new(".ifdef A\nx:\n.else\n.endif\n.cfi_startproc\n", language);
        assert_eq!(conditional.described(), ([].into(), 1));
        assert!(less(&[5, 7]).is_some() && less(&[4, 5, 6, 7]).is_some(), "nothing is expected of the other");
    }

    #[test]
    fn options_and_flags_go() {
        let linking = linking();
        let all: Set = linking.sets(Cut::Options).into_iter().flatten().collect();
        let less = linking.without(&all).expect("a cut");
        assert!(less.recipe.steps.iter().all(|step| step.options.is_empty()) && less.others.is_empty());
        assert!(less.recipe.objects["b"].flags.is_empty());
    }
}
