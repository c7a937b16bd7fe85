//! Makes a build graph from a recipe: a node for each object and step that the available tools can
//! make, and reasons for the others.

use std::collections::BTreeMap;
use std::path::Path;

use toolchain::entry;
use toolchain::graph::{Control, Graph, Node};
use types::{Abi, ByteOrder, SframeVersion};

use super::lack::Lack;
use super::recipe::{LinkCase, Maker, Object, Step};
use super::tools::{LinkTools, assembler_words};
use crate::included;

/// A build plan of a recipe.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Graph of the files that can be made: an object `a` is the file `a.o`, the output of a step
    /// has the step's name.
    pub graph: Graph,
    /// Reasons why others cannot be made, by name in the recipe.
    pub unsupported: BTreeMap<String, Lack>,
    /// Sources that cannot be read.
    pub problems: Vec<String>,
}

/// The plan of a recipe with these tools.
pub fn plan(case: &LinkCase, tools: &LinkTools) -> Plan {
    let mut plan = Plan::default();
    for (name, object) in &case.recipe.objects {
        if let Err(why) = plan.object(case, tools, name, object) {
            plan.unsupported.insert(name.clone(), why);
        }
    }
    for file in case.recipe.files.values() {
        plan.source(&case.folder.join(file));
    }
    for step in &case.recipe.steps {
        if let Err(why) = plan.step(case, tools, step) {
            plan.unsupported.insert(step.make.clone(), why);
        }
    }
    plan
}

/// File name of an object or step.
pub fn file_of(case: &LinkCase, name: &str) -> String {
    if case.recipe.objects.contains_key(name) { format!("{name}.o") } else { name.to_owned() }
}

impl Plan {
    fn object(&mut self, case: &LinkCase, tools: &LinkTools, name: &str, object: &Object) -> Result<(), Lack> {
        let path = case.source(object, tools.abi());
        let Some((source, text)) = self.source(&path) else { return Ok(()) };
        let mut words: Vec<String> = object.flags.split_whitespace().map(str::to_owned).collect();
        let used = |symbol: &str| text.windows(symbol.len()).any(|part| part == symbol.as_bytes());
        for (symbol, value) in symbols(object.version(tools.version), tools.abi()) {
            if used(symbol) {
                words.extend(["--defsym".to_owned(), format!("{symbol}={value}")]);
            }
        }
        let tool = tools.assembler(object.by).ok_or(Lack::Assembler)?;
        let options = assembler_words(tool, &words);
        words.extend(["--defsym".to_owned(), "CONTROL=1".to_owned()]);
        self.graph.make(Node {
            output: file_of(case, name),
            tool: tool.clone(),
            step: entry::Step::Assemble,
            inputs: vec![source],
            options,
            sframe: object.sframe,
            control: tools
                .assembler(Maker::Own)
                .map(|tool| Control { tool: tool.clone(), options: assembler_words(tool, &words) }),
        });
        Ok(())
    }

    fn step(&mut self, case: &LinkCase, tools: &LinkTools, step: &Step) -> Result<(), Lack> {
        let made = &step.make;
        let (_, flavour) = tools.linker(step.linker).ok_or_else(|| Lack::OtherLinker { file: made.clone() })?;
        if let Some(feature) = step.lacking.get(&flavour) {
            return Err(Lack::Feature { file: made.clone(), flavour, feature: feature.clone() });
        }
        if step.only.as_ref().is_some_and(|only| !only.contains(&flavour)) {
            return Err(Lack::Flavour { file: made.clone(), flavour });
        }
        if let Some(why) = step.from.iter().find_map(|input| self.unsupported.get(input)) {
            return Err(why.clone());
        }
        let (tool, command) = tools.worker(step)?;
        let own = step.options_for.get(&flavour).map_or("", String::as_str);
        let mut options = format!("{} {own}", step.options);
        for (name, file) in &case.recipe.files {
            options = options.replace(&format!("{{{name}}}"), &plain(Path::new(file)));
        }
        self.graph.make(Node {
            output: made.clone(),
            tool: tool.clone(),
            step: command,
            inputs: step.from.iter().map(|input| file_of(case, input)).collect(),
            options,
            sframe: true,
            control: None,
        });
        Ok(())
    }

    /// Adds a file of the case; `None`, and a problem, if it cannot be read.
    fn source(&mut self, path: &Path) -> Option<(String, Vec<u8>)> {
        let name = plain(path);
        match included::read(path) {
            Ok(text) => {
                self.graph.source(&name, text.clone());
                Some((name, text))
            }
            Err(error) => {
                self.problems.push(format!("{}: {error}", path.display()));
                None
            }
        }
    }
}

fn plain(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Symbols that the assembler defines for conditional sources: the version byte, the flag for
/// starts relative to their fields, the byte order.
fn symbols(version: SframeVersion, abi: Abi) -> Vec<(&'static str, u8)> {
    let mut symbols = vec![("SFRAME_VERSION", version.number()), ("SFRAME_PCREL", u8::from(version.has_pcrel_flag()))];
    let facts = abi.facts();
    match facts.order {
        ByteOrder::Big if facts.both_orders => symbols.push(("BIG_ENDIAN", 1)),
        ByteOrder::Big | ByteOrder::Little => {}
    }
    symbols
}
