//! A stub: the protocol's commands that a run needs ("Packets", E.2).

use types::{Abi, ByteOrder, FrameRegs, Reg};

use crate::arch::Names;
use crate::connection::{Connection, answer};
use crate::description::{self, RegisterSlot};
use crate::error::RemoteError;
use crate::packet::{from_hex, to_hex};

/// Maximum number of files of a description.
const MOST_FILES: usize = 32;
/// Bytes of memory per request, if the stub reports no limit.
const USUAL_PACKET: usize = 1024;
/// SIGTRAP, GDB's number for a completed step (`gdb/signals.def`).
const TRAP: u8 = 5;

/// A connected stub whose program is stopped.
pub(crate) struct Stub {
    connection: Connection,
    order: ByteOrder,
    names: &'static Names,
    /// Registers by DWARF number.
    registers: Vec<RegisterSlot>,
    /// Registers that belong to a thread, not to the whole processor.
    of_thread: Vec<RegisterSlot>,
    /// Registers of which the low 64 bits are read, by the DWARF number of these.
    halves: Vec<(Reg, RegisterSlot)>,
    pc: RegisterSlot,
    /// The 32-bit register that the stub treats as a 64-bit register when it is set.
    taken_wider: Option<RegisterSlot>,
    /// Maximum number of memory bytes in an answer.
    most_memory: usize,
    /// The thread that stopped first.
    thread: Option<Vec<u8>>,
    /// The stub supports `vCont`.
    continues_by_thread: bool,
    /// The stub supports `P`, as far as known.
    sets_one: bool,
}

/// The state of a program after a command that executes code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// The program completed the step.
    Step,
    /// The program is about to receive a signal, by GDB's number.
    Signal(u8),
    /// Another thread stopped.
    OtherThread,
    /// The program exited with this status.
    Exited(i32),
    /// A signal terminated the program.
    Killed(u8),
}

/// Registers of the stopped program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Registers {
    pub(crate) pc: u64,
    /// Registers by DWARF number.
    pub(crate) all: FrameRegs,
}

impl Stub {
    /// Initializes the connection. The stub must have the registers of the ABI.
    pub(crate) fn new(mut connection: Connection, abi: Abi) -> Result<Stub, RemoteError> {
        let supported = connection.ask("qSupported:xmlRegisters=i386;vContSupported+")?;
        let supported = String::from_utf8_lossy(&supported).into_owned();
        let size = supported.split(';').find_map(|item| item.strip_prefix("PacketSize="));
        let size = size.and_then(|size| usize::from_str_radix(size, 16).ok()).unwrap_or(USUAL_PACKET);
        let stopped = connection.ask("?")?;
        let continues_by_thread = connection.ask("vCont?")?.starts_with(b"vCont;");
        let files = describe(&mut connection)?;
        let described = description::registers(files.iter().map(String::as_str))?;
        let places = described.by_name;
        let place =
            |register: &'static str| places.get(register).copied().ok_or(RemoteError::OtherAbi { register, abi });
        let names = Names::of_abi(abi);
        Ok(Stub {
            registers: names.registers.iter().map(|name| place(name)).collect::<Result<_, _>>()?,
            halves: names
                .halves
                .iter()
                .filter_map(|(reg, all)| Some((*reg, all.iter().find_map(|name| places.get(*name).copied())?)))
                .collect(),
            of_thread: described.standard,
            pc: place(names.pc)?,
            taken_wider: names.taken_wider.map(place).transpose()?,
            order: abi.facts().order,
            names,
            most_memory: (size.saturating_sub(8) / 2).clamp(64, 16 << 10),
            thread: thread_of(&stopped),
            continues_by_thread,
            sets_one: true,
            connection,
        })
    }

    /// Names and other data of the ABI.
    pub(crate) fn names(&self) -> &'static Names {
        self.names
    }

    /// Reads the registers of the stopped thread.
    pub(crate) fn registers(&mut self) -> Result<Registers, RemoteError> {
        let digits = self.connection.ask("g")?;
        let mut all = FrameRegs::none();
        for number in 0..self.registers.len() {
            let value = self.value(&digits, self.registers[number])?;
            all.set(Reg(number as u16), value);
        }
        let pc = self.value(&digits, self.pc)?.ok_or_else(|| answer("g", &digits))?;
        Ok(Registers { pc, all })
    }

    /// The value of a register from the answer to `g`, or by `p` if the answer is too short. `None`
    /// if the stub has no value (`x` for digits).
    fn value(&mut self, digits: &[u8], place: RegisterSlot) -> Result<Option<u64>, RemoteError> {
        let digits = match place.of(digits) {
            Some(digits) => digits.to_vec(),
            None => self.connection.ask(&format!("p{:x}", place.number))?,
        };
        if digits.first() == Some(&b'x') {
            return Ok(None);
        }
        let bytes = from_hex(&digits).filter(|bytes| bytes.len() == place.size);
        let bytes = bytes.ok_or_else(|| answer("g", &digits))?;
        Ok(Some(self.order.number(&bytes)))
    }

    /// The low 64 bits of a wider register; `None` if the stub does not have it.
    pub(crate) fn half(&mut self, reg: Reg) -> Result<Option<u64>, RemoteError> {
        let Some((_, place)) = self.halves.iter().find(|(half, _)| *half == reg) else { return Ok(None) };
        let digits = self.connection.ask(&format!("p{:x}", place.number))?;
        let half = match self.order {
            ByteOrder::Little => digits.get(..16),
            ByteOrder::Big => digits.get(16..32),
        };
        let bytes = half.and_then(from_hex).filter(|bytes| bytes.len() == 8).ok_or_else(|| answer("p", &digits))?;
        Ok(Some(self.order.number(&bytes)))
    }

    /// Reads memory; fewer bytes if the rest is not readable.
    pub(crate) fn read(&mut self, address: u64, length: usize) -> Result<Vec<u8>, RemoteError> {
        let mut bytes = Vec::with_capacity(length);
        while bytes.len() < length {
            let from = address.wrapping_add(bytes.len() as u64);
            let count = self.most_memory.min(length - bytes.len());
            let command = format!("m{from:x},{count:x}");
            let digits = self.connection.ask(&command)?;
            if digits.first() == Some(&b'E') || digits.is_empty() {
                break;
            }
            let read = from_hex(&digits).filter(|read| !read.is_empty() && read.len() <= count);
            let read = read.ok_or_else(|| answer(&command, &digits))?;
            bytes.extend(&read);
            if read.len() < count {
                break;
            }
        }
        Ok(bytes)
    }

    /// Writes memory; returns false if it is not writable.
    pub(crate) fn write(&mut self, address: u64, bytes: &[u8]) -> Result<bool, RemoteError> {
        for (number, chunk) in bytes.chunks(self.most_memory.saturating_sub(32).max(32)).enumerate() {
            let to = address.wrapping_add((number * self.most_memory.saturating_sub(32).max(32)) as u64);
            let command = format!("M{to:x},{:x}:{}", chunk.len(), to_hex(chunk));
            if self.connection.ask(&command)? != b"OK" {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Sets a register by its DWARF number; returns false if the stub refuses.
    pub(crate) fn set(&mut self, register: Reg, value: u64) -> Result<bool, RemoteError> {
        match self.registers.get(usize::from(register.0)).copied() {
            Some(place) => self.set_at(place, value),
            None => Ok(false),
        }
    }

    /// Sets the program counter; returns false if the stub refuses.
    pub(crate) fn set_pc(&mut self, value: u64) -> Result<bool, RemoteError> {
        self.set_at(self.pc, value)
    }

    fn set_at(&mut self, place: RegisterSlot, value: u64) -> Result<bool, RemoteError> {
        let digits = to_hex(&self.order.bytes_of(value));
        if self.sets_one {
            match self.connection.ask(&format!("P{:x}={digits}", place.number))?.as_slice() {
                b"OK" => return Ok(true),
                // gdbserver lacks this command.
                b"" => self.sets_one = false,
                _ => return Ok(false),
            }
        }
        let mut all = self.connection.ask("g")?;
        let Some(digits_of_it) = all.get_mut(2 * place.offset..2 * (place.offset + place.size)) else {
            return Ok(false);
        };
        if digits_of_it.len() != digits.len() {
            return Ok(false);
        }
        digits_of_it.copy_from_slice(digits.as_bytes());
        let all = zeroes_for_unknown(all)?;
        Ok(self.connection.ask(&format!("G{all}"))? == b"OK")
    }

    /// Reads all registers of the thread, in the stub's form.
    pub(crate) fn save(&mut self) -> Result<Saved, RemoteError> {
        let general = self.connection.ask("g")?;
        let mut others = Vec::new();
        for place in self.of_thread.iter().filter(|place| place.of(&general).is_none()) {
            let digits = self.connection.ask(&format!("p{:x}", place.number))?;
            // A register without a value is not part of a thread's state.
            let has_value = digits.len() == 2 * place.size && from_hex(&digits).is_some();
            others.push((place.number, if has_value { digits } else { Vec::new() }));
        }
        Ok(Saved { general, others })
    }

    /// Sets all registers that differ between `now`, the current values, and `saved`. Registers
    /// that cannot be set belong to the processor.
    pub(crate) fn restore(&mut self, saved: &Saved, now: &Saved) -> Result<(), RemoteError> {
        for place in self.of_thread.clone() {
            let Some(wanted) = saved.digits(place).filter(|wanted| Some(*wanted) != now.digits(place)) else {
                continue;
            };
            if !self.sets_one {
                break;
            }
            let before = if Some(place) == self.taken_wider { "00000000" } else { "" };
            let wanted = String::from_utf8_lossy(wanted);
            let answered = self.connection.ask(&format!("P{:x}={before}{wanted}", place.number))?;
            self.sets_one = !answered.is_empty();
        }
        if !self.sets_one {
            let all = zeroes_for_unknown(saved.general.clone())?;
            if self.connection.ask(&format!("G{all}"))? != b"OK" {
                return Err(RemoteError::Refused("to set registers"));
            }
        }
        Ok(())
    }

    /// Executes up to one of these addresses.
    pub(crate) fn go_on_to(&mut self, addresses: &[u64]) -> Result<Stopped, RemoteError> {
        let command = if self.continues_by_thread { "vCont;c" } else { "c" };
        self.execute_to(command, addresses)
    }

    /// Delivers a signal to the program, and executes to the start of a handler, or one instruction
    /// if there is none.
    pub(crate) fn deliver(&mut self, signal: u8, handlers: &[u64]) -> Result<Stopped, RemoteError> {
        match (handlers.is_empty(), self.continues_by_thread) {
            (true, _) => self.step(Some(signal)),
            (false, true) => self.execute_to(&format!("vCont;C{signal:02x}"), handlers),
            (false, false) => self.execute_to(&format!("C{signal:02x}"), handlers),
        }
    }

    fn execute_to(&mut self, command: &str, addresses: &[u64]) -> Result<Stopped, RemoteError> {
        let kind = self.names.breakpoint;
        for address in addresses {
            let set = format!("Z0,{address:x},{kind}");
            let answered = self.connection.ask(&set)?;
            if answered != b"OK" {
                return Err(answer(&set, &answered));
            }
        }
        let stopped = self.execute(command)?;
        if !matches!(stopped, Stopped::Exited(_) | Stopped::Killed(_)) {
            for address in addresses {
                self.connection.ask(&format!("z0,{address:x},{kind}"))?;
            }
        }
        Ok(stopped)
    }

    /// Executes one instruction, after delivering a signal if given.
    pub(crate) fn step(&mut self, signal: Option<u8>) -> Result<Stopped, RemoteError> {
        let command = match (signal, self.continues_by_thread) {
            (None, true) => "vCont;s".to_owned(),
            (None, false) => "s".to_owned(),
            (Some(signal), true) => format!("vCont;S{signal:02x}"),
            (Some(signal), false) => format!("S{signal:02x}"),
        };
        self.execute(&command)
    }

    fn execute(&mut self, command: &str) -> Result<Stopped, RemoteError> {
        let stopped = self.connection.execute(command)?;
        let number = |digits: Option<&[u8]>| {
            let byte = digits.and_then(from_hex).and_then(|bytes| bytes.first().copied());
            byte.ok_or_else(|| answer(command, &stopped))
        };
        Ok(match stopped.first() {
            Some(b'W') => Stopped::Exited(i32::from(number(stopped.get(1..3))?)),
            Some(b'X') => Stopped::Killed(number(stopped.get(1..3))?),
            Some(b'S' | b'T') => match number(stopped.get(1..3))? {
                _ if thread_of(&stopped).is_some_and(|thread| Some(thread) != self.thread) => Stopped::OtherThread,
                TRAP => Stopped::Step,
                signal => Stopped::Signal(signal),
            },
            _ => return Err(answer(command, &stopped)),
        })
    }

    /// Kills the program, if the stub supports that.
    pub(crate) fn kill(&mut self) {
        // A stub that kills its program closes the connection without an answer.
        let _ = self.connection.ask("k");
    }
}

/// All registers of a program, in the stub's form.
#[derive(Clone, Debug)]
pub(crate) struct Saved {
    /// The answer to `g`.
    general: Vec<u8>,
    /// Digits of the registers after the end of that answer, by number; empty for a register
    /// without a value.
    others: Vec<(usize, Vec<u8>)>,
}

impl Saved {
    /// The digits of a register; `None` without a value.
    fn digits(&self, place: RegisterSlot) -> Option<&[u8]> {
        let after =
            || self.others.iter().find(|(number, _)| *number == place.number).map(|(_, digits)| digits.as_slice());
        place.of(&self.general).or_else(after).filter(|digits| !digits.is_empty() && !digits.contains(&b'x'))
    }
}

/// The answer to `g` as data of `G`: a register without a value (`x` for digits) is 0.
fn zeroes_for_unknown(mut all: Vec<u8>) -> Result<String, RemoteError> {
    all.iter_mut().filter(|digit| **digit == b'x').for_each(|digit| *digit = b'0');
    String::from_utf8(all).map_err(|error| answer("g", error.as_bytes()))
}

/// The files of the stub's description of its registers.
fn describe(connection: &mut Connection) -> Result<Vec<String>, RemoteError> {
    let mut files = vec![file(connection, "target.xml")?];
    let mut next = 0;
    while let Some(text) = files.get(next) {
        let included = description::includes(text)?;
        next += 1;
        if files.len() + included.len() > MOST_FILES {
            return Err(RemoteError::Description(format!("has more than {MOST_FILES} files")));
        }
        for name in included {
            files.push(file(connection, &name)?);
        }
    }
    Ok(files)
}

/// Reads a file of the description in pieces: `m` begins each, `l` the last.
fn file(connection: &mut Connection, name: &str) -> Result<String, RemoteError> {
    /// Maximum size in bytes of a file; those of known stubs have a few thousand.
    const MOST: usize = 1 << 18;
    let mut text = Vec::new();
    loop {
        let command = format!("qXfer:features:read:{name}:{:x},{USUAL_PACKET:x}", text.len());
        let piece = connection.ask(&command)?;
        match piece.split_first() {
            Some((b'm', more)) if !more.is_empty() && text.len() < MOST => text.extend(more),
            Some((b'l', last)) => {
                text.extend(last);
                return String::from_utf8(text).map_err(|_| RemoteError::Description(format!("is not {name} text")));
            }
            _ if piece.is_empty() => return Err(RemoteError::Description("is missing".to_owned())),
            _ => return Err(answer(&command, &piece)),
        }
    }
}

/// The thread in a stop reply (`T05thread:1a;`).
fn thread_of(stopped: &[u8]) -> Option<Vec<u8>> {
    let rest = stopped.strip_prefix(b"T")?.get(2..)?;
    rest.split(|byte| *byte == b';').find_map(|item| item.strip_prefix(b"thread:")).map(<[u8]>::to_vec)
}
