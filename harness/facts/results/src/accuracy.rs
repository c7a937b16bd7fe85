//! Results of `accuracy`: how often each unwinding method finds the true callers, where it fails,
//! and its cost.

use types::{Abi, named};

/// Version of the schema of `accuracy`.
pub const ACCURACY_SCHEMA: u32 = 1;

named! {
    /// A method of finding a frame's caller.
    pub enum UnwindMethod {
        /// The chain of frame records starting at FP.
        FramePointer = "frame-pointer",
        /// The chain of frame records, with byte patterns at the innermost PC.
        FramePointerPatterns = "frame-pointer-patterns",
        /// The back chain of s390x.
        BackChain = "back-chain",
        /// The back chain of s390x, with byte patterns at the innermost PC.
        BackChainPatterns = "back-chain-patterns",
        /// Control flow analysis of each frame's function.
        CodeAnalysis = "code-analysis",
        /// `.sframe`.
        Sframe = "sframe",
        /// `.sframe`, and the frame pointer (or back chain) if it has no descriptor.
        SframeOrFramePointer = "sframe-or-frame-pointer",
        /// The `.sframe` synthesised from `.eh_frame`.
        Synthesised = "synthesised-sframe",
        /// `.eh_frame`.
        EhFrame = "eh-frame",
    }
}

named! {
    /// Kind of code in which a method fails: at the first frame of the chain whose caller it does
    /// not find.
    pub enum MissPlace {
        /// Before the frame pointer is set up, on the straight path from the entry.
        Prologue = "prologue",
        /// After the frame pointer was restored, on the straight path to a return or tail call.
        Epilogue = "epilogue",
        /// In a function that sets up no frame pointer and makes no call.
        Leaf = "leaf",
        /// In a function that sets up no frame pointer and makes calls.
        Frameless = "frameless",
        /// On a path without a frame pointer in a function that sets one up on other paths.
        ShrinkWrapped = "shrink-wrapped",
        /// Elsewhere in a function that sets up a frame pointer.
        Body = "body",
        /// In the procedure linkage table.
        Plt = "plt",
        /// In the code that a signal handler returns to, or in the function that was interrupted.
        Signal = "signal",
        /// In code that the method has no data for: no descriptor, no symbol.
        NoTable = "no-table",
        /// In code without a symbol, for a method that needs no symbols.
        NoSymbol = "no-symbol",
    }
}

/// Results for one program: a line of `accuracy --format json`.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[schemars(title = "a line of accuracy --format json")]
pub struct Accuracy {
    /// Version of this shape.
    #[schemars(extend("const" = ACCURACY_SCHEMA))]
    pub schema: u32,
    /// The file as it was named.
    pub file: String,
    /// ABI of the program.
    pub abi: Abi,
    /// Number of instructions executed from the program's entry point on.
    pub steps: u64,
    /// Number of sampled instructions.
    pub samples: u64,
    /// Seed of the samples.
    pub seed: u64,
    /// How the execution ended, as text.
    pub end: String,
    /// True if the program ended by itself.
    pub finished: bool,
    /// Results of each method.
    pub methods: Vec<MethodAccuracy>,
    /// Cost of the tables of each object.
    pub tables: Vec<TableCost>,
    /// How often `.eh_frame` restores the other registers that a call preserves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registers: Option<RestoredRegisters>,
    /// Readers of these tables, each asked for the callers of sampled frames; only if requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readers: Vec<ReaderTime>,
}

/// How often `.eh_frame` restores all registers that a call preserves, other than FP and SP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct RestoredRegisters {
    /// Number of samples in functions that were called: what the registers held then is known.
    pub samples: u64,
    /// Number of samples at which the row gives all of these values.
    pub right: u64,
}

/// How often a reader finds the true caller of a sampled frame, and the time that it takes.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct ReaderTime {
    /// Name of the reader.
    pub reader: String,
    /// Its version.
    pub version: String,
    /// Name of the section that it reads.
    pub section: String,
    /// Number of frames it was asked about.
    pub frames: u64,
    /// Number of frames whose true caller follows from its answer.
    pub right: u64,
    /// Average processor time for one frame in nanoseconds, of the fastest of several passes over
    /// all frames. `None` if the reader did not answer.
    pub nanoseconds_per_frame: Option<f64>,
}

/// Results of one method.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct MethodAccuracy {
    /// The method.
    pub method: UnwindMethod,
    /// Results over samples in the program's own code. A chain consists of the program's frames
    /// from the innermost one, up to the first frame of a library, which is included.
    pub own: Share,
    /// Results over all samples. A chain consists of all frames up to the caller of `main`.
    pub all: Share,
    /// Number of samples whose chain omits a frame and continues after it.
    pub skips: u64,
    /// Number of samples whose chain has a frame that does not exist.
    pub invents: u64,
    /// Number of samples whose chain ends too early.
    pub ends_early: u64,
    /// Places of the first wrong frame of each wrong chain, over all samples.
    pub misses: Vec<Misses>,
    /// Average time for finding one frame, in nanoseconds; only if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nanoseconds_per_frame: Option<f64>,
    /// The functions with the most wrong chains, the worst first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub worst: Vec<MissedFunction>,
}

/// A function whose caller a method does not find.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct MissedFunction {
    /// Its symbol, or a place in the object.
    pub function: String,
    /// File name of the object.
    pub file: String,
    /// True for the program itself.
    pub own: bool,
    /// Its address in the file.
    pub address: u64,
    /// Number of samples whose first wrong frame is this function's.
    pub misses: u64,
    /// The instructions with the most misses, each with those around it.
    pub code: Vec<MissedInstruction>,
}

/// An instruction at which, or a call in which, a method does not find the caller.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct MissedInstruction {
    /// Its address in the file.
    pub address: u64,
    /// Mnemonic and operands.
    pub text: String,
    /// Number of samples; 0 for instructions around others.
    pub misses: u64,
    /// Kind of code, if there are misses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<MissPlace>,
}

/// Numbers of correct samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Share {
    /// Number of samples.
    pub samples: u64,
    /// Number of samples whose first caller is right.
    pub first: u64,
    /// Number of samples whose complete chain is right.
    pub chain: u64,
}

/// Number of wrong chains whose first wrong frame is in one kind of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Misses {
    /// Kind of code.
    pub place: MissPlace,
    /// Number in the program's own code.
    pub own: u64,
    /// Number in libraries.
    pub library: u64,
}

/// Cost of a table of an object.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct TableCost {
    /// File name of the object.
    pub file: String,
    /// True for the program itself.
    pub own: bool,
    /// Name of the section; `.eh_frame` includes `.eh_frame_hdr`, and `.sframe, synthesised` is in
    /// no file.
    pub section: String,
    /// Size of the section in bytes.
    pub bytes: u64,
    /// Number of functions described.
    pub functions: u64,
    /// Size of the object's code in bytes.
    pub text: u64,
}
