//! A connection to a stub: bytes, with a limit on each wait.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::error::RemoteError;
use crate::packet::{self, Received};

/// How long an answer is waited for. One instruction takes microseconds; a board on a serial line
/// milliseconds; a program that waits for input in a system call has no limit of its own.
const LIMIT: Duration = Duration::from_secs(10);

/// A connection over which one command at a time is answered.
pub(crate) struct Connection {
    stream: Box<dyn Stream>,
    received: Vec<u8>,
}

trait Stream: Read + Write + Send {
    fn wait_at_most(&self, limit: Duration) -> io::Result<()>;
}

impl Stream for UnixStream {
    fn wait_at_most(&self, limit: Duration) -> io::Result<()> {
        self.set_write_timeout(Some(limit))?;
        self.set_read_timeout(Some(limit))
    }
}

impl Stream for TcpStream {
    fn wait_at_most(&self, limit: Duration) -> io::Result<()> {
        self.set_write_timeout(Some(limit))?;
        self.set_read_timeout(Some(limit))
    }
}

impl Connection {
    /// A connection to a socket of this machine.
    pub(crate) fn to_socket(path: &Path) -> io::Result<Connection> {
        Self::new(Box::new(UnixStream::connect(path)?))
    }

    /// A connection to HOST:PORT, or to the socket at a path (an address with a `/`).
    pub(crate) fn to_address(address: &str) -> Result<Connection, RemoteError> {
        let connected = if address.contains('/') {
            Self::to_socket(Path::new(address))
        } else {
            TcpStream::connect(address).and_then(|stream| {
                // A packet is a few bytes, and its answer is waited for.
                stream.set_nodelay(true)?;
                Self::new(Box::new(stream))
            })
        };
        connected.map_err(|error| RemoteError::Connect { address: address.to_owned(), error })
    }

    fn new(stream: Box<dyn Stream>) -> io::Result<Connection> {
        stream.wait_at_most(LIMIT)?;
        Ok(Connection { stream, received: Vec::new() })
    }

    /// Sends a command and returns the data of its answer.
    pub(crate) fn ask(&mut self, command: &str) -> Result<Vec<u8>, RemoteError> {
        self.stream.write_all(&packet::encode(command))?;
        self.receive(command, Instant::now())
    }

    /// Sends a command that executes, and returns how the program stopped: what it writes meanwhile
    /// (`O` and digits) is passed over.
    pub(crate) fn execute(&mut self, command: &str) -> Result<Vec<u8>, RemoteError> {
        self.stream.write_all(&packet::encode(command))?;
        let asked = Instant::now();
        loop {
            let answer = self.receive(command, asked)?;
            if answer.first() != Some(&b'O') || answer == b"OK" {
                return Ok(answer);
            }
        }
    }

    fn receive(&mut self, command: &str, asked: Instant) -> Result<Vec<u8>, RemoteError> {
        let mut bytes = [0; 16 << 10];
        loop {
            match packet::decode(&self.received) {
                Received::Packet(data, length) => {
                    self.received.drain(..length);
                    self.stream.write_all(b"+")?;
                    return Ok(data);
                }
                Received::Broken => return Err(answer(command, &self.received)),
                Received::Partial => {}
            }
            if asked.elapsed() > LIMIT {
                return Err(RemoteError::Silent { command: command.to_owned(), limit: LIMIT });
            }
            match self.stream.read(&mut bytes) {
                Ok(0) => return Err(RemoteError::Closed),
                Ok(count) => self.received.extend_from_slice(&bytes[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    return Err(RemoteError::Silent { command: command.to_owned(), limit: LIMIT });
                }
                Err(error) => return Err(error.into()),
            }
            if self.received.len() > 2 * packet::MOST {
                return Err(answer(command, &self.received));
            }
        }
    }
}

/// An answer that the protocol does not have.
pub(crate) fn answer(command: &str, answer: &[u8]) -> RemoteError {
    let beginning = &answer[..answer.len().min(40)];
    RemoteError::Answer { command: command.to_owned(), answer: String::from_utf8_lossy(beginning).into_owned() }
}
