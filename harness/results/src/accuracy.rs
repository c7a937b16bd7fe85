//! What `accuracy` measures: how often each way of unwinding finds the true callers, where it does
//! not, and what it costs.

use types::{Abi, named};

/// The version of this shape.
pub const ACCURACY_SCHEMA: u32 = 1;

named! {
    /// A way of finding a frame's caller.
    pub enum UnwindMethod {
        /// The chain of frame records that FP leads to.
        FramePointer = "frame-pointer",
        /// The same, with byte patterns at the innermost PC.
        FramePointerPatterns = "frame-pointer-patterns",
        /// The back chain of s390x.
        BackChain = "back-chain",
        /// The same, with byte patterns at the innermost PC.
        BackChainPatterns = "back-chain-patterns",
        /// Analysis of the control flow of each frame's function.
        CodeAnalysis = "code-analysis",
        /// `.sframe`.
        Sframe = "sframe",
        /// `.sframe`, and the frame pointer (or back chain) where it has no descriptor.
        SframeOrFramePointer = "sframe-or-frame-pointer",
        /// The `.sframe` that follows from `.eh_frame`.
        Synthesised = "synthesised-sframe",
        /// `.eh_frame`.
        EhFrame = "eh-frame",
    }
}

named! {
    /// Where in the code a method is wrong: at the first frame of the chain whose caller it does
    /// not find.
    pub enum MissPlace {
        /// Before the frame pointer is set up, on the straight way from the entry.
        Prologue = "prologue",
        /// After the frame pointer was restored, on the straight way to a return or tail call.
        Epilogue = "epilogue",
        /// In a function that sets up no frame pointer and makes no call.
        Leaf = "leaf",
        /// In a function that sets up no frame pointer and makes calls.
        Frameless = "frameless",
        /// Where a function that sets up a frame pointer on some ways has not done so.
        ShrinkWrapped = "shrink-wrapped",
        /// Elsewhere in a function that sets up a frame pointer.
        Body = "body",
        /// In the procedure linkage table.
        Plt = "plt",
        /// In the code that a signal handler returns to, or in the function that was interrupted.
        Signal = "signal",
        /// In code for which the method has nothing: no descriptor, no symbol.
        NoTable = "no-table",
        /// In code without a symbol, for a method that needs none.
        NoSymbol = "no-symbol",
    }
}

/// A program, measured: a line of `accuracy --format json`.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[schemars(title = "a line of accuracy --format json")]
pub struct Accuracy {
    /// Version of this shape.
    #[schemars(extend("const" = ACCURACY_SCHEMA))]
    pub schema: u32,
    /// The file as it was named.
    pub file: String,
    /// Its ABI.
    pub abi: Abi,
    /// Instructions executed from the program's entry point on.
    pub steps: u64,
    /// Instructions looked at.
    pub samples: u64,
    /// The seed that they were drawn by.
    pub seed: u64,
    /// How the execution ended, in words.
    pub end: String,
    /// True if it ended by itself.
    pub finished: bool,
    /// The methods.
    pub methods: Vec<MethodAccuracy>,
    /// What the tables of each object cost.
    pub tables: Vec<TableCost>,
}

/// A method, measured.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct MethodAccuracy {
    /// The method.
    pub method: UnwindMethod,
    /// Over samples in the program's own code. A chain is its frames of the program from the
    /// innermost on, up to the first frame of a library, which is still to be found.
    pub own: Share,
    /// Over all samples. A chain is all frames up to the caller of `main`.
    pub all: Share,
    /// Samples whose chain leaves out a frame and continues after it.
    pub skips: u64,
    /// Samples whose chain has a frame that is not there.
    pub invents: u64,
    /// Samples whose chain ends before that.
    pub ends_early: u64,
    /// Where the first wrong frame of each wrong chain is, over all samples.
    pub misses: Vec<Misses>,
    /// Time that finding one frame takes, on average; only if it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nanoseconds_per_frame: Option<f64>,
}

/// How many samples are right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Share {
    /// Samples.
    pub samples: u64,
    /// Those whose first caller is right.
    pub first: u64,
    /// Those whose chain is right.
    pub chain: u64,
}

/// Wrong chains whose first wrong frame is in such a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Misses {
    /// The place.
    pub place: MissPlace,
    /// In the program's own code.
    pub own: u64,
    /// In libraries.
    pub library: u64,
}

/// What a table of an object costs.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct TableCost {
    /// The object.
    pub file: String,
    /// It is the program itself.
    pub own: bool,
    /// The section: `.eh_frame` includes `.eh_frame_hdr`.
    pub section: String,
    /// Bytes of it.
    pub bytes: u64,
    /// Functions that it describes.
    pub functions: u64,
    /// Bytes of code of the object.
    pub text: u64,
}
