//! A connection to a stub, with a limit on each wait.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::error::RemoteError;
use crate::packet::{self, Received};

/// Time limit for an answer. One instruction takes microseconds; on a board with a serial line
/// milliseconds; a program that waits for input in a system call may take for ever.
const LIMIT: Duration = Duration::from_secs(10);

/// Maximum number of other packets before the answer to a command.
const MOST_PASSED_OVER: usize = 1 << 10;
/// An answer that took longer is slow.
const SLOW: Duration = Duration::from_secs(1);
/// How long all slow answers of a run may take together.
const ALL_SLOW: Duration = Duration::from_secs(120);

/// A connection on which commands are answered one at a time.
pub(crate) struct Connection {
    stream: Box<dyn Stream>,
    received: Vec<u8>,
    /// Total time of the slow answers.
    slow: Duration,
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
    /// Connects to a local socket.
    pub(crate) fn to_socket(path: &Path) -> io::Result<Connection> {
        Self::new(Box::new(UnixStream::connect(path)?))
    }

    /// Connects to HOST:PORT, or to the socket at a path (an address with a `/`).
    pub(crate) fn to_address(address: &str) -> Result<Connection, RemoteError> {
        let connected = if address.contains('/') {
            Self::to_socket(Path::new(address))
        } else {
            connect(address).and_then(|stream| {
                // A packet has few bytes, and its answer is awaited.
                stream.set_nodelay(true)?;
                Self::new(Box::new(stream))
            })
        };
        connected.map_err(|error| RemoteError::Connect { address: address.to_owned(), error })
    }

    fn new(stream: Box<dyn Stream>) -> io::Result<Connection> {
        stream.wait_at_most(LIMIT)?;
        Ok(Connection { stream, received: Vec::new(), slow: Duration::ZERO })
    }

    /// Sends a command and returns the data of the answer.
    pub(crate) fn ask(&mut self, command: &str) -> Result<Vec<u8>, RemoteError> {
        self.stream.write_all(&packet::encode(command))?;
        let asked = Instant::now();
        for _ in 0..MOST_PASSED_OVER {
            let answer = self.receive(command, asked)?;
            // qemu-system sends an unrequested stop reply when a client connects. No other answer
            // begins like a stop reply.
            if command == "?" || !matches!(answer.first(), Some(b'T' | b'S')) {
                return Ok(answer);
            }
        }
        Err(answer(command, b"T, without end"))
    }

    /// Sends a command that executes code, and returns the stop reply: output of the program (`O`
    /// and digits) is skipped.
    pub(crate) fn execute(&mut self, command: &str) -> Result<Vec<u8>, RemoteError> {
        self.stream.write_all(&packet::encode(command))?;
        let asked = Instant::now();
        for _ in 0..MOST_PASSED_OVER {
            let answer = self.receive(command, asked)?;
            if answer.first() != Some(&b'O') || answer == b"OK" {
                return Ok(answer);
            }
        }
        Err(answer(command, b"O, without end"))
    }

    /// Adds the time of a slow answer; returns an error above the limit for all slow answers.
    fn note_slow(&mut self, command: &str, asked: Instant) -> Result<(), RemoteError> {
        let took = asked.elapsed();
        if took > SLOW {
            self.slow += took;
        }
        if self.slow > ALL_SLOW {
            return Err(RemoteError::Slow { command: command.to_owned(), limit: ALL_SLOW });
        }
        Ok(())
    }

    fn receive(&mut self, command: &str, asked: Instant) -> Result<Vec<u8>, RemoteError> {
        let mut bytes = [0; 16 << 10];
        loop {
            if asked.elapsed() > LIMIT {
                return Err(RemoteError::Silent { command: command.to_owned(), limit: LIMIT });
            }
            match packet::decode(&self.received) {
                Received::Packet(data, length) => {
                    self.received.drain(..length);
                    self.stream.write_all(b"+")?;
                    self.note_slow(command, asked)?;
                    return Ok(data);
                }
                Received::Broken => return Err(answer(command, &self.received)),
                Received::Partial => {}
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

/// Connects to the first address of HOST:PORT that accepts a connection.
fn connect(address: &str) -> io::Result<TcpStream> {
    let mut failed = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, LIMIT) {
            Ok(stream) => return Ok(stream),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

/// An error for an answer that violates the protocol.
pub(crate) fn answer(command: &str, answer: &[u8]) -> RemoteError {
    let beginning = &answer[..answer.len().min(40)];
    RemoteError::Answer { command: command.to_owned(), answer: String::from_utf8_lossy(beginning).into_owned() }
}
