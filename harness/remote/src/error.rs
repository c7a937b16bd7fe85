//! Why a stub could not be used.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use types::Abi;

/// Why a stub could not be used, or could not be used any longer.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    /// The program does not exist.
    #[error("no {program} in PATH or in {}: ci/producers qemu fetches it", folder.display())]
    NoQemu {
        /// Its name.
        program: &'static str,
        /// The folder of `ci/producers qemu`.
        folder: PathBuf,
    },
    /// A file or process of ours could not be made.
    #[error("cannot start {what}: {error}")]
    Start {
        /// What.
        what: String,
        /// Why.
        error: io::Error,
    },
    /// Nothing answers there.
    #[error("cannot connect to {address}: {error}")]
    Connect {
        /// A host and port, or the path of a socket.
        address: String,
        /// Why.
        error: io::Error,
    },
    /// The connection was closed.
    #[error("the stub closed the connection")]
    Closed,
    /// It did not answer in time.
    #[error("the stub did not answer {command} in {} s", limit.as_secs())]
    Silent {
        /// What it was asked.
        command: String,
        /// How long it was waited for.
        limit: Duration,
    },
    /// Its answers took too long together.
    #[error("the stub was slow: slow answers took more than {} s, the last one to {command}", limit.as_secs())]
    Slow {
        /// What it was asked last.
        command: String,
        /// How long they may take.
        limit: Duration,
    },
    /// Reading from it or writing to it failed.
    #[error("the connection to the stub failed: {0}")]
    Connection(#[from] io::Error),
    /// It refused a command, or answered with what the protocol does not have.
    #[error("the stub answered {command} with `{answer}`")]
    Answer {
        /// What it was asked.
        command: String,
        /// The beginning of its answer.
        answer: String,
    },
    /// Its description of its registers cannot be used.
    #[error("the stub's description of its registers {0}")]
    Description(String),
    /// It has another architecture.
    #[error("the stub has no register `{register}`, so it is not {abi}")]
    OtherAbi {
        /// The register.
        register: &'static str,
        /// What the program is for.
        abi: Abi,
    },
    /// Its program is elsewhere: position-independent, another one, or under way.
    #[error("the stub's program is at {pc:#x}, its entry would be {entry:#x}")]
    NotAtEntry {
        /// Where it is.
        pc: u64,
        /// Where it begins by the file.
        entry: u64,
    },
    /// Its kernel does not give the memory that the first engine has.
    #[error("the second engine's kernel gives no {size:#x} bytes of memory at {address:#x}")]
    NoMemory {
        /// Where.
        address: u64,
        /// Bytes.
        size: u64,
    },
    /// It does not do what a comparison needs.
    #[error("the stub refuses {0}")]
    Refused(&'static str),
    /// A plan that the second engine cannot execute alone.
    #[error("{0}: --engine unicorn and both do that, this one does not")]
    Unsupported(&'static str),
}
