//! Kept results of one build of a program.

use std::collections::BTreeMap;

use results::{MissPlace, UnwindMethod};
use serde::Deserialize;
use types::{Abi, named};

named! {
    /// Compiler of a program.
    pub enum Compiler {
        Gcc = "gcc",
        Clang = "clang",
        Rustc = "rustc",
    }
}

named! {
    /// Treatment of frame pointers by the compiler; on s390x, of back chains.
    pub enum FramePointers {
        /// None.
        Omit = "omit",
        /// In functions that make calls.
        NonLeaf = "non-leaf",
        /// In all functions.
        All = "all",
    }
}

impl FramePointers {
    /// Heading of a column.
    pub(super) fn title(self, abi: Abi) -> &'static str {
        match (self, abi == Abi::S390x) {
            (FramePointers::Omit, false) => "no FP",
            (FramePointers::NonLeaf, false) => "FP, not in leaves",
            (FramePointers::All, false) => "FP",
            (FramePointers::Omit, true) => "no back chain",
            (FramePointers::NonLeaf | FramePointers::All, true) => "back chain",
        }
    }
}

named! {
    /// Libraries that a program ran with.
    pub enum Libraries {
        /// musl and others, built by the same compiler with the same options.
        Same = "same",
        /// glibc as Debian builds it.
        Debian = "debian",
    }
}

impl Libraries {
    pub(super) fn title(self) -> &'static str {
        match self {
            Libraries::Same => "libraries built as the program is",
            Libraries::Debian => "Debian's C library",
        }
    }

    pub(super) fn short(self) -> &'static str {
        match self {
            Libraries::Same => "same",
            Libraries::Debian => "Debian",
        }
    }
}

/// Results of one build of a program: a line of `accuracy.jsonl`.
#[derive(Clone, Debug, Deserialize)]
pub struct Cell {
    pub program: String,
    /// Version of its source package.
    pub version: String,
    pub compiler: Compiler,
    /// Name and version that the compiler prints.
    pub compiler_version: String,
    /// Treatment of frame pointers.
    pub frames: FramePointers,
    pub libraries: Libraries,
    /// ABI of the program.
    pub abi: Abi,
    /// Number of instructions executed from the program's entry point on.
    pub steps: u64,
    /// Number of sampled instructions.
    pub samples: u64,
    /// Number of samples in the program's own code.
    pub own_samples: u64,
    /// How the execution ended, as text.
    pub end: String,
    /// True if the program ended by itself.
    pub finished: bool,
    pub methods: BTreeMap<UnwindMethod, Counts>,
    pub tables: Vec<Size>,
}

/// Numbers of samples for which a method was right or wrong.
#[derive(Clone, Debug, Deserialize)]
pub struct Counts {
    /// First callers and complete chains that are right, over samples in the program's own code.
    pub own: [u64; 2],
    /// The same over all samples.
    pub all: [u64; 2],
    /// Chains that omit a frame, that have a frame that does not exist, and that end too early.
    pub wrong: [u64; 3],
    /// Wrong chains by the place of the first wrong frame: in the program's own code, in libraries.
    pub misses: BTreeMap<MissPlace, [u64; 2]>,
}

/// Size of a table: name of the object, section, bytes, functions, bytes of the object's code.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
pub struct Size(pub String, pub String, pub u64, pub u64, pub u64);

impl Cell {
    /// Results of a method, if it was applied.
    pub(super) fn counts(&self, method: UnwindMethod) -> Option<&Counts> {
        self.methods.get(&method)
    }

    /// Name of the build.
    pub(super) fn name(&self) -> String {
        format!("{}, {}, {} {}, {}", self.program, self.abi.name(), self.compiler, self.frames, self.libraries.title())
    }
}
