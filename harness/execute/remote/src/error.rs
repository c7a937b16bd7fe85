//! Errors of a stub.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use types::Abi;

/// The reason why a stub cannot be used, or not any longer.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    /// The qemu-user program does not exist.
    #[error("no {program} in PATH or in {}: ci/producers qemu fetches it", folder.display())]
    NoQemu {
        /// Name of the program.
        program: &'static str,
        /// The directory of `ci/producers qemu`.
        folder: PathBuf,
    },
    /// A file or process could not be created.
    #[error("cannot start {what}: {error}")]
    Start {
        /// The file or process.
        what: String,
        /// The system's error.
        error: io::Error,
    },
    /// No stub answers at the address.
    #[error("cannot connect to {address}: {error}")]
    Connect {
        /// A host and port, or the path of a socket.
        address: String,
        /// The system's error.
        error: io::Error,
    },
    /// The connection was closed.
    #[error("the stub closed the connection")]
    Closed,
    /// The stub did not answer in time.
    #[error("the stub did not answer {command} in {} s", limit.as_secs())]
    Silent {
        /// The command.
        command: String,
        /// The time limit.
        limit: Duration,
    },
    /// The stub's slow answers took too long together.
    #[error("the stub was slow: slow answers took more than {} s, the last one to {command}", limit.as_secs())]
    Slow {
        /// The last command.
        command: String,
        /// The time limit for all slow answers.
        limit: Duration,
    },
    /// Reading from the stub or writing to it failed.
    #[error("the connection to the stub failed: {0}")]
    Connection(#[from] io::Error),
    /// The stub refused a command, or its answer violates the protocol.
    #[error("the stub answered {command} with `{answer}`")]
    Answer {
        /// The command.
        command: String,
        /// The beginning of the answer.
        answer: String,
    },
    /// The stub's description of its registers cannot be used.
    #[error("the stub's description of its registers {0}")]
    Description(String),
    /// The stub has another architecture.
    #[error("the stub has no register `{register}`, so it is not {abi}")]
    OtherAbi {
        /// The missing register.
        register: &'static str,
        /// ABI of the program.
        abi: Abi,
    },
    /// The stub's program is at another address: position-independent, another program, or already
    /// started.
    #[error("the stub's program is at {pc:#x}, its entry would be {entry:#x}")]
    NotAtEntry {
        /// The stub's program counter.
        pc: u64,
        /// The entry point in the file.
        entry: u64,
    },
    /// The stub's kernel cannot map the memory that the first engine has.
    #[error("the second engine's kernel gives no {size:#x} bytes of memory at {address:#x}")]
    NoMemory {
        /// Address of the memory.
        address: u64,
        /// Size in bytes.
        size: u64,
    },
    /// The stub lacks an operation that a comparison needs.
    #[error("the stub refuses {0}")]
    Refused(&'static str),
    /// The plan needs a feature that the second engine alone lacks.
    #[error("{0}: --engine unicorn and both do that, this one does not")]
    Unsupported(&'static str),
}
