//! A build, from sources to files: which tool makes which file of what. Cases, recipes of linking,
//! texts and reductions are built by it, and the commands that bundles print are its own.
//!
//! Where a tool fails, the file is made again, with all that it is made of, where nothing has
//! `.sframe`: the control. What fails there too is no matter of SFrame.

use std::collections::{BTreeMap, BTreeSet};

use types::Bytes;

use crate::entry::Step;
use crate::files::Files;
use crate::process::{Finished, ProcessError};
use crate::tool::{self, Order, Ran, Tool};

/// Sources, and the files made of them, each after those that it is made of.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    sources: Vec<(String, Bytes)>,
    nodes: Vec<Node>,
}

/// A file and how it is made.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its name.
    pub output: String,
    /// The tool that makes it.
    pub tool: Tool,
    /// The tool's command that makes it.
    pub step: Step,
    /// The files that it is made of, in order.
    pub inputs: Vec<String>,
    /// Words for `{options}`.
    pub options: String,
    /// Ask the tool for `.sframe`, if it can write it.
    pub sframe: bool,
    /// The command that makes it without `.sframe`, if other words are needed.
    pub control: Option<Control>,
}

/// The command for the same file without `.sframe`, if its source and not its assembler writes
/// that.
#[derive(Clone, Debug)]
pub struct Control {
    /// The tool that makes it.
    pub tool: Tool,
    /// Words for `{options}`.
    pub options: String,
}

/// What came of a node.
#[derive(Debug)]
pub enum Outcome {
    /// The file, and what its tool printed.
    Made(Bytes, Ran),
    /// The tool failed, and does not where nothing has `.sframe`.
    Refused(Ran),
    /// It failed in the control too: there with this complaint.
    Fails(Ran, String),
    /// It could not be run to its end, or made nothing.
    Broken(ProcessError),
    /// Something that it is made of is not there.
    Lacking,
}

impl Outcome {
    /// The command that was run; `None` if none ended by itself.
    pub fn ran(&self) -> Option<&Ran> {
        match self {
            Outcome::Made(_, ran) | Outcome::Refused(ran) | Outcome::Fails(ran, _) => Some(ran),
            Outcome::Broken(_) | Outcome::Lacking => None,
        }
    }
}

impl Node {
    /// What its tool is asked for.
    fn order<'a>(&'a self, inputs: &'a [&'a str]) -> Order<'a> {
        Order { step: self.step, inputs, output: &self.output, options: &self.options, sframe: self.sframe }
    }

    /// The words of its command, the program's first.
    ///
    /// # Errors
    /// If the tool cannot do this step.
    pub fn words(&self) -> Result<Vec<String>, ProcessError> {
        self.tool.command(&self.order(&self.names()))
    }

    fn names(&self) -> Vec<&str> {
        self.inputs.iter().map(String::as_str).collect()
    }

    /// Runs its command; what it made is in `files`.
    fn run(&self, files: &mut Files) -> Result<Ran, ProcessError> {
        let inputs = self.names();
        let order = self.order(&inputs);
        let ran = self.tool.run(&order, files)?;
        if ran.finished.success {
            tool::made(&order, &ran, files)?;
        }
        Ok(ran)
    }

    /// The same without `.sframe`.
    fn without(&self) -> Node {
        let same = || Control { tool: self.tool.clone(), options: self.options.clone() };
        let Control { tool, options } = self.control.clone().unwrap_or_else(same);
        Node { tool, options, sframe: false, ..self.clone() }
    }
}

impl Graph {
    /// Adds a file that is there.
    pub fn source(&mut self, name: &str, bytes: impl Into<Bytes>) {
        self.sources.push((name.to_owned(), bytes.into()));
    }

    /// Adds a file that is made of those before it.
    pub fn make(&mut self, node: Node) {
        self.nodes.push(node);
    }

    /// Files that are made, in order.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The nodes that a file takes, in order, its own last.
    fn needed(&self, output: &str) -> Vec<&Node> {
        let mut wanted = BTreeSet::from([output]);
        let mut needed = Vec::new();
        for node in self.nodes.iter().rev() {
            if wanted.contains(node.output.as_str()) {
                wanted.extend(node.inputs.iter().map(String::as_str));
                needed.push(node);
            }
        }
        needed.reverse();
        needed
    }

    /// The part of it that makes one file.
    #[must_use]
    pub fn up_to(&self, output: &str) -> Graph {
        Graph { sources: self.sources.clone(), nodes: self.needed(output).into_iter().cloned().collect() }
    }

    /// Makes every file that can be made: what came of each node, by the file's name.
    pub fn build(&self) -> BTreeMap<String, Outcome> {
        let mut files = self.files();
        let mut outcomes: BTreeMap<String, Outcome> = BTreeMap::new();
        for node in &self.nodes {
            let is_there = |name: &String| files.get(name).is_some();
            let outcome = match node.inputs.iter().all(is_there) {
                true => self.outcome(node, &mut files),
                false => Outcome::Lacking,
            };
            outcomes.insert(node.output.clone(), outcome);
        }
        outcomes
    }

    /// Its sources and what was made, by name: what a person looks at.
    pub fn made(&self, outcomes: &BTreeMap<String, Outcome>) -> BTreeMap<String, Bytes> {
        let made = outcomes.iter().filter_map(|(name, outcome)| match outcome {
            Outcome::Made(bytes, _) => Some((name.clone(), bytes.clone())),
            Outcome::Refused(_) | Outcome::Fails(..) | Outcome::Broken(_) | Outcome::Lacking => None,
        });
        self.sources.iter().cloned().chain(made).collect()
    }

    fn outcome(&self, node: &Node, files: &mut Files) -> Outcome {
        let ran = match node.run(files) {
            Ok(ran) => ran,
            Err(error) => return Outcome::Broken(error),
        };
        match files.get(&node.output) {
            Some(bytes) if ran.finished.success => return Outcome::Made(bytes.clone(), ran),
            // What a tool leaves that failed is not used as input.
            _ => files.remove(&node.output),
        }
        match self.control(&node.output) {
            Ok(Some(Finished { success: true, .. })) => Outcome::Refused(ran),
            Ok(Some(finished)) => Outcome::Fails(ran, finished.complaint()),
            Ok(None) => {
                let complaint = ran.finished.complaint();
                Outcome::Fails(ran, complaint)
            }
            Err(error) => Outcome::Fails(ran, error.to_string()),
        }
    }

    /// How a file's command, or that of one it is made of, ends where nothing has `.sframe`; none
    /// where nothing was to have it.
    fn control(&self, output: &str) -> Result<Option<Finished>, ProcessError> {
        let needed = self.needed(output);
        if !needed.iter().any(|node| node.sframe || node.control.is_some()) {
            return Ok(None);
        }
        let mut files = self.files();
        let mut last = None;
        for node in needed {
            let ran = node.without().run(&mut files)?;
            let success = ran.finished.success;
            last = Some(ran.finished);
            if !success {
                break;
            }
        }
        Ok(last)
    }

    /// The sources alone.
    fn files(&self) -> Files {
        let mut files = Files::default();
        for (name, bytes) in &self.sources {
            files.put(name, bytes.clone());
        }
        files
    }
}
