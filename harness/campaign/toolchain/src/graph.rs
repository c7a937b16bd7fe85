//! A build graph, from sources to outputs: the tool and the inputs of each file. Cases, link
//! recipes, texts and reductions are built with it, and bundles print its commands.
//!
//! If a tool fails, the file is made again, with all its inputs, without `.sframe`: the control. A
//! failure that also occurs there has nothing to do with SFrame.

use std::collections::{BTreeMap, BTreeSet};

use types::Bytes;

use crate::entry::Step;
use crate::files::Files;
use crate::process::{Finished, ProcessError};
use crate::tool::{self, Order, Tool, ToolRun};

/// Sources, and the files made from them, in an order in which inputs precede outputs.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    sources: Vec<(String, Bytes)>,
    nodes: Vec<Node>,
}

/// A file, and how it is made.
#[derive(Clone, Debug)]
pub struct Node {
    pub output: String,
    /// Tool that makes it.
    pub tool: Tool,
    /// Kind of the tool's command.
    pub step: Step,
    /// Input files, in order.
    pub inputs: Vec<String>,
    /// Arguments for `{options}`.
    pub options: String,
    /// True if the tool is to write `.sframe`, if it can.
    pub sframe: bool,
    /// Command that makes it without `.sframe`, if it needs other arguments.
    pub control: Option<Control>,
}

/// The command for the same file without `.sframe`, if the source and not the assembler determines
/// that.
#[derive(Clone, Debug)]
pub struct Control {
    /// Tool that makes it.
    pub tool: Tool,
    /// Arguments for `{options}`.
    pub options: String,
}

#[derive(Debug)]
pub enum NodeResult {
    /// The file, and the tool's output.
    Made(Bytes, ToolRun),
    /// The tool failed, and succeeds without `.sframe`.
    Refused(ToolRun),
    /// The tool failed also in the control, where it printed this.
    Fails(ToolRun, String),
    /// The tool could not be run to its end, or made no file.
    Broken(ProcessError),
    /// An input is missing.
    Lacking,
}

impl NodeResult {
    /// The command that was run; `None` if none exited by itself.
    pub fn ran(&self) -> Option<&ToolRun> {
        match self {
            NodeResult::Made(_, ran) | NodeResult::Refused(ran) | NodeResult::Fails(ran, _) => Some(ran),
            NodeResult::Broken(_) | NodeResult::Lacking => None,
        }
    }
}

impl Node {
    /// The order to its tool.
    fn order<'a>(&'a self, inputs: &'a [&'a str]) -> Order<'a> {
        Order { step: self.step, inputs, output: &self.output, options: &self.options, sframe: self.sframe }
    }

    /// Words of the command, starting with the program.
    pub fn words(&self) -> Result<Vec<String>, ProcessError> {
        self.tool.command(&self.order(&self.names()))
    }

    fn names(&self) -> Vec<&str> {
        self.inputs.iter().map(String::as_str).collect()
    }

    /// Runs the command; its output is in `files`.
    fn run(&self, files: &mut Files) -> Result<ToolRun, ProcessError> {
        let inputs = self.names();
        let order = self.order(&inputs);
        let ran = self.tool.run(&order, files)?;
        if ran.finished.success {
            tool::made(&order, &ran, files)?;
        }
        Ok(ran)
    }

    /// The node without `.sframe`.
    fn without(&self) -> Node {
        let same = || Control { tool: self.tool.clone(), options: self.options.clone() };
        let Control { tool, options } = self.control.clone().unwrap_or_else(same);
        Node { tool, options, sframe: false, ..self.clone() }
    }
}

impl Graph {
    /// Adds a source file.
    pub fn source(&mut self, name: &str, bytes: impl Into<Bytes>) {
        self.sources.push((name.to_owned(), bytes.into()));
    }

    /// Adds a file that is made from earlier ones.
    pub fn make(&mut self, node: Node) {
        self.nodes.push(node);
    }

    /// The same without the files that these steps do not make.
    pub fn of_steps(mut self, steps: &[Step]) -> Graph {
        self.nodes.retain(|node| steps.contains(&node.step));
        self
    }

    /// Files that are made, in order.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The nodes that a file needs, in order, its own last.
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

    /// The part of the graph that makes one file.
    #[must_use]
    pub fn up_to(&self, output: &str) -> Graph {
        Graph { sources: self.sources.clone(), nodes: self.needed(output).into_iter().cloned().collect() }
    }

    /// Makes every file that can be made; returns the result of each node by file name.
    pub fn build(&self) -> BTreeMap<String, NodeResult> {
        let mut files = self.files();
        let mut outcomes: BTreeMap<String, NodeResult> = BTreeMap::new();
        for node in &self.nodes {
            let is_there = |name: &String| files.get(name).is_some();
            let outcome = match node.inputs.iter().all(is_there) {
                true => self.outcome(node, &mut files),
                false => NodeResult::Lacking,
            };
            outcomes.insert(node.output.clone(), outcome);
        }
        outcomes
    }

    /// Sources and outputs, by name, for people to examine.
    pub fn made(&self, outcomes: &BTreeMap<String, NodeResult>) -> BTreeMap<String, Bytes> {
        let made = outcomes.iter().filter_map(|(name, outcome)| match outcome {
            NodeResult::Made(bytes, _) => Some((name.clone(), bytes.clone())),
            NodeResult::Refused(_) | NodeResult::Fails(..) | NodeResult::Broken(_) | NodeResult::Lacking => None,
        });
        self.sources.iter().cloned().chain(made).collect()
    }

    fn outcome(&self, node: &Node, files: &mut Files) -> NodeResult {
        let ran = match node.run(files) {
            Ok(ran) => ran,
            Err(error) => return NodeResult::Broken(error),
        };
        match files.get(&node.output) {
            Some(bytes) if ran.finished.success => return NodeResult::Made(bytes.clone(), ran),
            // The output of a failed tool is not used as input.
            _ => files.remove(&node.output),
        }
        match self.control(&node.output) {
            Ok(Some(Finished { success: true, .. })) => NodeResult::Refused(ran),
            Ok(Some(finished)) => NodeResult::Fails(ran, finished.complaint()),
            Ok(None) => {
                let complaint = ran.finished.complaint();
                NodeResult::Fails(ran, complaint)
            }
            Err(error) => NodeResult::Fails(ran, error.to_string()),
        }
    }

    /// How the command of a file, or of one of its inputs, ends without `.sframe`; `None` if no
    /// file was to have `.sframe`.
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

    /// The source files.
    fn files(&self) -> Files {
        let mut files = Files::default();
        for (name, bytes) in &self.sources {
            files.put(name, bytes.clone());
        }
        files
    }
}
